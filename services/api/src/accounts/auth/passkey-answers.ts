import { errorTexts, listOf } from "@parley/contracts";
import { z } from "zod";
import {
  authenticatorDataLengthMax,
  clientDataLengthMax,
  credentialIdBytesMax,
  signatureLengthMax,
  userHandleLengthMax,
} from "./limits.js";

// The answers of authenticators as browsers write them: `RegistrationResponseJSON` and `AuthenticationResponseJSON` of
// WebAuthn, level 3. The api ignores extensions and other additions of browsers.

const malformed = errorTexts.passkey_unreadable;

/** Bytes as base64url without padding, in the one form that they have. */
const base64url = (lengthMax: number) =>
  z
    .string(malformed)
    .refine(
      (value) =>
        value !== "" && value.length <= lengthMax && Buffer.from(value, "base64url").toString("base64url") === value,
      malformed,
    );

const credentialId = base64url(Math.ceil((credentialIdBytesMax * 4) / 3));
const clientDataJSON = base64url(clientDataLengthMax);

const answer = <R extends z.ZodObject>(response: R) =>
  z.object({ id: credentialId, rawId: credentialId, type: z.literal("public-key", malformed), response }, malformed);

const transport = z.string(malformed).regex(/^[a-z-]{1,32}$/, malformed);

/** A key that an authenticator has made. */
export const registrationAnswer = answer(
  z.object(
    {
      clientDataJSON,
      attestationObject: base64url(authenticatorDataLengthMax),
      transports: listOf(transport, { max: 10, message: malformed }).default([]),
    },
    malformed,
  ),
);
export type RegistrationAnswer = z.output<typeof registrationAnswer>;

/** A challenge that an authenticator has signed. */
export const authenticationAnswer = answer(
  z.object(
    {
      clientDataJSON,
      authenticatorData: base64url(authenticatorDataLengthMax),
      signature: base64url(signatureLengthMax),
      userHandle: base64url(userHandleLengthMax)
        .nullish()
        .transform((value) => value ?? undefined),
    },
    malformed,
  ),
);
export type AuthenticationAnswer = z.output<typeof authenticationAnswer>;
