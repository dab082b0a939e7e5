import type { PasskeyCreationOptions, PasskeyRequestOptions } from "@parley/client";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { InputError } from "../texts/error-text.js";
import { texts } from "../texts/start-texts.js";

/**
 * Makes a passkey with an authenticator. @throws InputError when it makes none, or the person has changed their mind
 */
export function makePasskey({ options }: PasskeyCreationOptions) {
  return orSay(startRegistration({ optionsJSON: options }));
}

/** Asks a passkey for its answer. @throws InputError when none answers, or the person has changed their mind */
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
