const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/;
const decimalSeconds = /^(\d{1,12})(?:\.(\d+))?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 time with any number of digits of a second, cut to milliseconds.
 *
 * @returns null for what is no time; a time without a zone is one of UTC
 */
export function isoMilliseconds(text: unknown): number | null {
  const parts = typeof text === "string" ? isoTime.exec(text) : null;
  if (parts === null) return null;
  const at = Date.parse(`${parts[1]}.${milliseconds(parts[2])}${parts[3] ?? "Z"}`);
  return Number.isNaN(at) ? null : at;
}

/**
 * Milliseconds since 1970 of seconds with a fraction ("1662433779.473120"), cut to milliseconds. A number is read by its
 * shortest digits, so that 1662433779.473 does not become 472.
 *
 * @returns null for what is no time
 */
export function secondsToMilliseconds(seconds: unknown): number | null {
  const parts =
    typeof seconds === "string" || typeof seconds === "number" ? decimalSeconds.exec(String(seconds)) : null;
  return parts === null ? null : Number(parts[1]) * 1000 + Number(milliseconds(parts[2]));
}

/** A time for a text: "2022-04-05 16:00:00 UTC". */
export const shownTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

function milliseconds(fraction = ""): string {
  return fraction.slice(0, 3).padEnd(3, "0");
}
