import type { InlineContext } from "@lezer/markdown";

/** Most signs of one block that may begin or end a format: each is compared with those before it. */
const delimitersMax = 800;
const counts = new WeakMap<InlineContext, number>();

/** Counts one more sign of a block; false where it has so many that the further ones are text. */
export function mayDelimit(context: InlineContext): boolean {
  const count = (counts.get(context) ?? 0) + 1;
  counts.set(context, count);
  return count <= delimitersMax;
}
