import type { PasskeyCreationOptions, PasskeyRequestOptions } from "@parley/client";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { InputError } from "../texts/error-text.js";
import { texts } from "../texts/start-texts.js";

/** Has an authenticator make a passkey. @throws InputError when it does not, or somebody has changed their mind */
export function makePasskey({ options }: PasskeyCreationOptions) {
  return orSay(startRegistration({ optionsJSON: options }));
}

/** Has a passkey answer. @throws InputError when none does, or somebody has changed their mind */
export function askPasskey({ options }: PasskeyRequestOptions) {
  return orSay(startAuthentication({ optionsJSON: options }));
}

async function orSay<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    // Browsers do not give a page the reason.
    throw new InputError(texts.login.passkeyFailed, { cause });
  }
}
