import { visibleName } from "@parley/contracts";

const halfSurrogates = /\p{Cs}/gu;

/** The text of a message without U+0000 and half surrogates (section 32.1), with line ends of one character. */
export function cleanText(text: string): string {
  return storable(text).replaceAll("\r\n", "\n");
}

/** A name that people see in lists (section 1.3); empty when nothing is to be seen. */
export function cleanName(text: string): string {
  return visibleName(storable(text));
}

/** The value with its texts and keys without U+0000 and half surrogates. */
export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [storable(key), storableValue(inside)]));
}

/** A text without U+0000 and half surrogates. */
function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.replace(halfSurrogates, "");
  return whole.replaceAll("\0", "");
}
