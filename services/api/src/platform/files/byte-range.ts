import type { ByteRange } from "./storage/storage.js";

/** The part of a file that a Range header requests: all of it, a range, or an unsatisfiable one. */
export type RequestedRange = "all" | "unsatisfiable" | ByteRange;

/**
 * Reads a Range header (RFC 9110, 14.1). Several ranges at once, and a text that is no range of bytes, get the whole
 * file.
 *
 * @param size bytes of the file, at least 1
 */
export function parseRange(header: string | undefined, size: number): RequestedRange {
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return "all";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && start > Number(last)) return "all";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
