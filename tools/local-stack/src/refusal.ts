/**
 * Something the person at the terminal can put right. `message` is one whole sentence that says what is wrong and
 * what to do; it is printed alone, without a stack.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** The text of anything thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node.js system error (`EADDRINUSE`, `ENOENT` …), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
