import { errorTexts, invalidInput, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { generateAuthenticationOptions } from "@simplewebauthn/server";
import type { AuthenticationAnswer } from "../auth/passkey-answers.js";
import type { SessionOwner } from "../auth/repository.js";
import { anybody, type Challenges } from "./challenges.js";
import { challengeTtlMs } from "./limits.js";
import { findCredential, findCredentialIds, usePasskey } from "./repository.js";
import type { PasskeyRequestOptions } from "./schema.js";
import { requireSite, type Site, userHandleOf } from "./site.js";
import { challengeOf, verifyAuthentication } from "./verify.js";

const timeout = challengeTtlMs;

const purposeOf = (holder: string) => (holder === anybody ? "authentication" : "second-factor");

/** @param options.site null where passkeys are off */
export function createPasskeySignIn(options: { database: Database; challenges: Challenges; site: Site | null }) {
  const { database, challenges, site } = options;

  /**
   * Uses up the challenge, and notes the use of the passkey.
   *
   * @param holder the account that has shown its password, or {@link anybody}: whose passkey has to have verified its owner
   * @returns whose passkey has answered; null for an answer that does not hold
   */
  const check = async (response: AuthenticationAnswer, holder: string): Promise<SessionOwner | null> => {
    const expected = requireSite(site);
    const challenge = challengeOf(response);
    const asked = challenge === undefined ? null : await challenges.take(purposeOf(holder), challenge);
    const credential = await findCredential(database, response.id);
    if (challenge === undefined || asked !== holder || credential === undefined) return null;
    if (holder !== anybody && holder !== credential.user_id) return null;
    const { userHandle } = response.response;
    const isNamed = userHandle === Buffer.from(userHandleOf(credential.user_id)).toString("base64url");
    // With a passkey alone the authenticator must name the account; beside a password it need not.
    if (!isNamed && (holder === anybody || userHandle !== undefined)) return null;
    const requireUserVerification = holder === anybody;
    const state = await verifyAuthentication(expected, response, { challenge, credential, requireUserVerification });
    if (state === null || !(await usePasskey(database, credential.id, state))) return null;
    return { id: credential.user_id, session_version: credential.session_version };
  };

  return {
    /** The first step of logging in with a passkey alone, for everybody. */
    async begin(): Promise<PasskeyRequestOptions> {
      const { id: rpID } = requireSite(site);
      const request = await generateAuthenticationOptions({ rpID, timeout, userVerification: "required" });
      await challenges.keep("authentication", request.challenge, anybody);
      return { options: request };
    },

    /**
     * The second step. The authenticator has verified its owner, which stands for both factors.
     *
     * @returns the account, and the version of its sessions before the answer was checked, so that a later end of them
     * ends this one, too
     * @throws ServiceError 401, 503
     */
    async authenticate(response: AuthenticationAnswer): Promise<SessionOwner> {
      const owner = await check(response, anybody);
      if (owner === null) throw new ServiceError("unauthenticated", errorTexts.passkey_invalid);
      return owner;
    },

    /**
     * The first step of using a passkey beside the password, which was right.
     *
     * @throws ServiceError 400 for an account without passkeys, 503
     */
    async beginSecondFactor(userId: string): Promise<PasskeyRequestOptions> {
      const { id: rpID } = requireSite(site);
      const allowCredentials = await findCredentialIds(database, userId);
      if (allowCredentials.length === 0) throw invalidInput(errorTexts.passkeys_missing);
      const request = await generateAuthenticationOptions({
        rpID,
        timeout,
        allowCredentials,
        userVerification: "discouraged",
      });
      await challenges.keep("second-factor", request.challenge, userId);
      return { options: request };
    },

    /** The second step: whether it is an answer of that account's passkey. */
    async isSecondFactor(userId: string, response: AuthenticationAnswer): Promise<boolean> {
      return (await check(response, userId)) !== null;
    },
  };
}

/** Passkeys in place of the password, or of the code beside it (docs/protocol/accounts.md#30). */
export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;
