import { readFileSync } from "node:fs";

/**
 * What the build has written into `generated/`, read when it is first asked for. To make it again for a request would
 * hold the event loop for seconds.
 *
 * @param name of the file
 */
export function generatedFile(name: string): () => string {
  let text: string | undefined;
  return () => {
    text ??= readFileSync(new URL(`../../../generated/${name}`, import.meta.url), "utf8");
    return text;
  };
}
