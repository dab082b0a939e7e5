const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const number = new Intl.NumberFormat();
const units = ["B", "KB", "MB", "GB", "TB"];

/** A moment in the reader's own form; null is shown as a dash. */
export const showTime = (timestamp: string | null): string =>
  timestamp === null ? "–" : dateTime.format(new Date(timestamp));

/** A number with the reader's own separators. */
export const showNumber = (value: number): string => number.format(value);

/** A size in bytes, to a person. */
export function showBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${number.format(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power]}`;
}
