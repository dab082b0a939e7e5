import { formats } from "../texts/texts.js";

/** A moment in the reader's own form; null is shown as a dash. */
export const showTime = (timestamp: string | null): string => (timestamp === null ? "–" : formats.moment(timestamp));

/** A number with the reader's own separators. */
export const showNumber = (value: number): string => formats.number(value);

/** A size in bytes, to a person. */
export const showBytes = (bytes: number): string => formats.bytes(bytes);
