import { errorTexts, nonceLengthMax, text } from "@parley/contracts";

/** The nonce by which a client repeats a request safely (docs/protocol/repetition.md#21); kept as sent, null like absent. */
export const nonceInput = text({ min: 1, max: nonceLengthMax, message: errorTexts.nonce_length }).nullish().meta({
  description: "Makes the request safe to repeat: within 24 hours it is answered with the message of the first time",
});
