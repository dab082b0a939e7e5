import { ParleyError } from "@parley/client";
import { withValues } from "./server-errors.js";
import { texts } from "./start-texts.js";

/** Invalid input of the user, or something that only they can mend; the message is the text to show. */
export class InputError extends Error {}

/** Texts of errors beside those of the first load, by code. */
let refusals: Readonly<Record<string, string>> = {};

/** Adds the texts of the errors that are not part of the first load, in the language in use. */
export function setRefusals(texts: Readonly<Record<string, string>>): void {
  refusals = texts;
}

/** Texts of the errors that the server describes in English, in another language; none in English. */
let serverErrors: Readonly<Record<string, string>> = {};

/** Replaces the texts for what the server describes in English. */
export function setServerErrors(texts: Readonly<Record<string, string>>): void {
  serverErrors = texts;
}

/** What a person reads of a failure: the page's words for what the server answers often, otherwise its own. */
export function errorText(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (!(error instanceof ParleyError)) return texts.common.failed;
  if (error.status === 0) return texts.common.unreachable;
  const known: Readonly<Record<string, string>> = { ...texts.errors, ...refusals };
  if (Object.hasOwn(known, error.code)) return known[error.code] ?? error.text;
  const translated = Object.hasOwn(serverErrors, error.code) ? serverErrors[error.code] : undefined;
  return translated === undefined ? error.text : withValues(translated, error.text);
}
