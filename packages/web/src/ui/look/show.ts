import { formats } from "../../texts/texts.js";

/** A moment in the reader's own form; null is shown as a dash. */
export const showTime = (timestamp: string | null): string => (timestamp === null ? "–" : formats.moment(timestamp));

/** A number with the reader's own separators. */
export const showNumber = (value: number): string => formats.number(value);

/** A size in bytes, to a person. */
export const showBytes = (bytes: number): string => formats.bytes(bytes);

/** A size that counts for a quota, to a person: there a gigabyte has 10^9 bytes. */
export const showStorage = (bytes: number): string => formats.storage(bytes);

/** A duration in seconds, in the largest unit that divides it. */
export function showDuration(seconds: number): string {
  if (seconds % 86_400 === 0) return formats.days(seconds / 86_400);
  if (seconds % 3_600 === 0) return formats.wholeHours(seconds / 3_600);
  return seconds % 60 === 0 ? formats.wholeMinutes(seconds / 60) : formats.seconds(seconds);
}
