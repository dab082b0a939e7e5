import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import type { AuthenticationAnswer, RegistrationAnswer } from "../auth/passkey-answers.js";
import type { Site } from "./site.js";

/** COSE: ECDSA with P-256, EdDSA, RSA. */
export const algorithms = [-7, -8, -257];

const ClientData = z.looseObject({
  challenge: z.string().regex(/^[\w-]{1,128}$/),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.undefined().optional(),
});

/** The challenge that the authenticator answered; undefined for client data of a page outside this site. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
  } catch {
    return undefined;
  }
  const { success, data } = ClientData.safeParse(json);
  // Pages in frames of other sites are not asked from: the application forbids frames.
  return success && data.crossOrigin !== true ? data.challenge : undefined;
}

/**
 * A statement about the authenticator's make is not asked for, and none is examined: to do so, lists of revoked certificates would
 * be fetched from addresses that the statement names.
 */
function hasNoAttestation({ response }: RegistrationAnswer): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get("fmt");
  return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
}

type Registration = NonNullable<VerifiedRegistrationResponse["registrationInfo"]>;

/** @returns the new credential; null for an answer that does not hold */
export async function verifyRegistration(
  site: Site,
  response: RegistrationAnswer,
  expectedChallenge: string,
): Promise<Registration | null> {
  try {
    if (!hasNoAttestation(response)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    return verified && registrationInfo.credential.id === response.id ? registrationInfo : null;
  } catch {
    // The library throws for every fault of an answer.
    return null;
  }
}

/** A stored passkey, as far as an answer is compared with it. */
export interface KnownCredential {
  public_key: Uint8Array;
  counter: number;
}

/** @returns the passkey's state from now on; null for an answer that does not hold */
export async function verifyAuthentication(
  site: Site,
  response: AuthenticationAnswer,
  expected: { challenge: string; credential: KnownCredential; requireUserVerification: boolean },
): Promise<{ counter: number; backedUp: boolean } | null> {
  const { challenge, credential, requireUserVerification } = expected;
  const { userHandle, ...signed } = response.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...response,
        response: { ...signed, ...(userHandle === undefined ? {} : { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification,
      credential: { id: response.id, publicKey: Uint8Array.from(credential.public_key), counter: credential.counter },
    });
    return verified
      ? { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
      : null;
  } catch {
    return null;
  }
}
