import { ParleyError } from "@parley/client";
import { texts } from "./start-texts.js";

/** Invalid input of the user, or something that only they can mend; the message is the text to show. */
export class InputError extends Error {}

/** Why the server refused something: its code, and its sentence. */
export interface Refusal {
  code: string;
  text: string;
}

/** The texts of the errors that are not part of the first load. */
let textOfOther: (refusal: Refusal) => string | undefined = () => undefined;

/** Puts the texts of the errors that are not part of the first load into use. */
export function setOtherTexts(textOf: typeof textOfOther): void {
  textOfOther = textOf;
}

/** The text of a failure for the user: the page's words for the server's refusals, otherwise its own. */
export function errorText(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (!(error instanceof ParleyError)) return texts.common.failed;
  if (error.status === 0) return texts.common.unreachable;
  return refusalText(error);
}

/** The page's words for a refusal, otherwise the server's. */
export function refusalText(refusal: Refusal): string {
  const { code, text } = refusal;
  const known: Readonly<Record<string, string>> = texts.errors;
  return (Object.hasOwn(known, code) ? known[code] : textOfOther(refusal)) ?? text;
}
