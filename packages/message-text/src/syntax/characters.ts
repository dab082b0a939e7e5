import type { InlineContext } from "@lezer/markdown";

/** The character before a place of an inline text, whole; empty at its beginning. */
export function characterBefore(context: InlineContext, place: number): string {
  if (place <= context.offset) return "";
  const unit = context.slice(place - 1, place);
  return isLowSurrogate(unit) && place - 2 >= context.offset ? context.slice(place - 2, place) : unit;
}

/** The character at a place of an inline text, whole; empty at its end. */
export function characterAt(context: InlineContext, place: number): string {
  const pair = context.slice(place, place + 2);
  return isLowSurrogate(pair.slice(1)) ? pair : pair.slice(0, 1);
}

const isLowSurrogate = (unit: string): boolean => /^[\udc00-\udfff]$/.test(unit);
