import { ParleyError } from "@parley/client";
import { texts } from "../texts/texts.js";

/** Invalid input of the user; the message is the text to show. */
export class InputError extends Error {}

/** What a person reads of a failure: the server's own words, or why it had none. */
export function errorText(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (!(error instanceof ParleyError)) return texts.common.failed;
  return error.status === 0 ? texts.common.unreachable : error.code;
}
