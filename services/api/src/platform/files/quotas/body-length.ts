import type { IncomingMessage } from "node:http";

/** Bytes of the body of a request, as it says; undefined where it comes in chunks. */
export function bodyLength({ headers }: IncomingMessage): number | undefined {
  const length = Number(headers["content-length"]);
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}
