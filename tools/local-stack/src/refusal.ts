/**
 * An error that the user can correct. `message` is one whole sentence with the problem and its solution; it is printed
 * without a stack.
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
