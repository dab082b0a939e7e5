import { readFileSync } from "node:fs";

/**
 * A description that the build has written (`describe.mjs`), read when it is first asked for. To make it again for a request would
 * hold the event loop for seconds.
 *
 * @param name of the file
 */
export function generatedFile(name: string): () => string {
  let text: string | undefined;
  return () => {
    text ??= readFileSync(new URL(import.meta.resolve(`@parley/api-description/${name}`)), "utf8");
    return text;
  };
}
