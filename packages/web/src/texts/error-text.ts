import { ParleyError } from "@parley/client";
import { texts } from "./start-texts.js";

/** Invalid input of the user, or something that only they can mend; the message is the text to show. */
export class InputError extends Error {}

/** The texts of the errors that are not part of the first load. */
let textOfOther: (error: ParleyError) => string | undefined = () => undefined;

/** Puts the texts of the errors that are not part of the first load into use. */
export function setOtherTexts(textOf: typeof textOfOther): void {
  textOfOther = textOf;
}

/** The text of a failure for the user: the page's words for the server's refusals, otherwise its own. */
export function errorText(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (!(error instanceof ParleyError)) return texts.common.failed;
  if (error.status === 0) return texts.common.unreachable;
  const known: Readonly<Record<string, string>> = texts.errors;
  return (Object.hasOwn(known, error.code) ? known[error.code] : textOfOther(error)) ?? error.text;
}
