import { z } from "zod";
import { errorTexts } from "./error-texts.js";
import { isPictureAddress } from "./pictures.js";

/**
 * Length of a text as the contract counts it (docs/protocol/requests.md#1.3): Unicode code points, not UTF-16 units.
 *
 * @param text any string
 * @returns number of code points
 */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // The second half of a surrogate pair belongs to the code point already counted.
    if (unit >= 0xdc00 && unit <= 0xdfff && index > 0) {
      const before = text.charCodeAt(index - 1);
      if (before >= 0xd800 && before <= 0xdbff) continue;
    }
    length++;
  }
  return length;
}

/**
 * Whether PostgreSQL can store the text: it has no NUL and no lone surrogate (docs/processes/security.md#security: 400, never
 * 500).
 *
 * @param text any string
 */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Anything but white space (docs/protocol/requests.md#1.3). `\s` leaves out U+0085, which Unicode counts as white space. */
const visible = /[^\s\u0085]/;

/**
 * Whether a text has nothing but white space (docs/protocol/requests.md#1.3).
 *
 * @param text any string
 */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/**
 * A text without the white space at its ends (docs/protocol/requests.md#1.3).
 *
 * @param text any string
 */
export function trimWhiteSpace(text: string): string {
  const start = text.search(visible);
  if (start === -1) return "";
  let end = text.length;
  while (!visible.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Bounds of a text in code points. */
export interface TextBounds {
  min: number;
  max: number;
  /** Text of the 400 answer when the value is no string, not storable, or out of bounds. */
  message: string;
}

/** A text that is kept as sent, within bounds counted in code points. */
export function text({ min, max, message }: TextBounds) {
  return z
    .string(message)
    .refine((value) => {
      if (value.length < min || value.length > max * 2 || !isStorableText(value)) return false;
      const length = codePointLength(value);
      return length >= min && length <= max;
    }, message)
    .meta(describeBounds({ min, max }));
}

/** A text that is trimmed before its length is checked and before it is stored (names and titles, 1.3). */
export function trimmedText(bounds: TextBounds) {
  return z
    .string(bounds.message)
    .transform(trimWhiteSpace)
    .pipe(text(bounds))
    .meta({ ...describeBounds(bounds), description: "Trimmed" });
}

/**
 * A nullable text field of a request: at most `max` code points, an empty string becomes null (docs/protocol/requests.md#1.3).
 *
 * @param max bound in code points
 * @param message text of the 400 answer
 */
export function clearableText(max: number, message: string) {
  return text({ min: 0, max, message })
    .nullable()
    .transform((value) => (value === "" ? null : value))
    .meta({ maxLength: max });
}

/** Longest URL accepted for avatars and icons (docs/protocol/objects.md#4.1, docs/protocol/objects.md#4.5). */
export const urlLengthMax = 2048;

/** Whether a text is an http(s) address. */
export const isHttpUrl = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

/**
 * A nullable http(s) URL field of a request (docs/protocol/objects.md#4.1, docs/protocol/objects.md#4.5); an empty string becomes
 * null.
 *
 * @param field name of the field, part of the 400 text
 */
export function clearableHttpUrl(field: "avatar_url" | "icon_url") {
  return clearableText(urlLengthMax, errorTexts[`${field}_length`])
    .refine((value) => value === null || isHttpUrl(value), errorTexts[`${field}_scheme`])
    .meta({ maxLength: urlLengthMax, format: "uri", example: "https://example.com/picture.png" });
}

/**
 * The same for a field that may have an uploaded picture: the address of one passes, for the caller to compare it with
 * the present one (docs/protocol/communities.md#28.5).
 *
 * @param field name of the field, part of the 400 text
 */
export function clearablePictureUrl(field: "avatar_url" | "banner_url" | "icon_url") {
  return clearableText(urlLengthMax, errorTexts[`${field}_length`])
    .refine((value) => value === null || isHttpUrl(value) || isPictureAddress(value), errorTexts[`${field}_scheme`])
    .meta({
      maxLength: urlLengthMax,
      format: "uri-reference",
      example: "https://example.com/picture.png",
      description: "The address of the uploaded picture that is set changes nothing; that of another one is refused",
    });
}

/** Bounds as JSON Schema of the API description. */
function describeBounds({ min, max }: { min: number; max: number }) {
  return { ...(min > 0 ? { minLength: min } : {}), maxLength: max };
}
