import { caps, conflict, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { generateRegistrationOptions } from "@simplewebauthn/server";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import type { TellOwner } from "../account-changes/tell-owner.js";
import type { Device } from "../auth/device.js";
import type { RequirePassword } from "../auth/require-password.js";
import type { OwnerCredentials } from "../auth/schema.js";
import type { RequireOwner } from "../second-factor/require-owner.js";
import type { Challenges } from "./challenges.js";
import { challengeTtlMs } from "./limits.js";
import {
  countPasskeys,
  findCredentialIds,
  findPasskeys,
  insertPasskey,
  removePasskey,
  renamePasskey,
} from "./repository.js";
import type { Passkey, PasskeyCreationOptions, RegisterPasskey } from "./schema.js";
import { requireSite, type Site, userHandleOf } from "./site.js";
import { algorithms, challengeOf, verifyRegistration } from "./verify.js";

/** @param options.site null where passkeys are off */
export function createPasskeyService(options: {
  database: Database;
  challenges: Challenges;
  turns: ChangeTurns;
  site: Site | null;
  requirePassword: RequirePassword;
  requireOwner: RequireOwner;
  tellOwner: TellOwner;
}) {
  const { database, challenges, turns, site, requirePassword, requireOwner, tellOwner } = options;

  return {
    /** The caller's passkeys, oldest first. */
    list: (userId: string): Promise<Passkey[]> => findPasskeys(database, userId),

    /**
     * The first step of making a passkey. As it stands for password and code, both are asked for.
     *
     * @throws ServiceError 400, 403, 429, 503
     */
    async beginRegistration(
      userId: string,
      credentials: OwnerCredentials,
      device: Device,
    ): Promise<PasskeyCreationOptions> {
      const { id: rpID } = requireSite(site);
      const { username } = await requireOwner(userId, credentials, device);
      const excludeCredentials = await findCredentialIds(database, userId);
      requireBelowCap(caps.passkeys, excludeCredentials.length);
      const creation = await generateRegistrationOptions({
        rpName: "Parley",
        rpID,
        userID: userHandleOf(userId),
        userName: username,
        userDisplayName: username,
        timeout: challengeTtlMs,
        excludeCredentials,
        authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
        supportedAlgorithmIDs: algorithms,
      });
      await challenges.keep("registration", creation.challenge, userId);
      return { options: creation };
    },

    /** The second step: stores the key that the authenticator has made. */
    async register(userId: string, { name, response }: RegisterPasskey, device: Device): Promise<Passkey> {
      const expected = requireSite(site);
      const challenge = challengeOf(response);
      const holder = challenge === undefined ? null : await challenges.take("registration", challenge);
      const registered =
        challenge === undefined || holder !== userId ? null : await verifyRegistration(expected, response, challenge);
      if (registered === null) throw invalidInput(errorTexts.passkey_invalid);
      const { credential, credentialBackedUp: backed_up } = registered;
      const stored = await turns.run(userId, () =>
        database.transaction(async (transaction) => {
          await lockAccount(transaction, userId);
          requireBelowCap(caps.passkeys, await countPasskeys(transaction, userId));
          return insertPasskey(transaction, userId, {
            credential_id: Uint8Array.from(Buffer.from(credential.id, "base64url")),
            public_key: Uint8Array.from(credential.publicKey),
            counter: credential.counter,
            transports: response.response.transports,
            backed_up,
            name,
          });
        }),
      );
      if (stored === null) throw conflict(errorTexts.passkey_registered);
      tellOwner(userId, "passkey_added", device);
      return stored;
    },

    async rename(userId: string, id: string, name: string | undefined): Promise<Passkey> {
      const renamed = await renamePasskey(database, { userId, id }, name);
      if (renamed === null) throw notFound(errorTexts.passkey_not_found);
      return renamed;
    },

    async remove(userId: string, removal: { id: string; password: string }, device: Device): Promise<void> {
      await requirePassword(userId, removal.password, device);
      if (!(await removePasskey(database, { userId, id: removal.id }))) throw notFound(errorTexts.passkey_not_found);
      tellOwner(userId, "passkey_removed", device);
    },
  };
}

/** The passkeys of the caller's account (docs/protocol/accounts.md#30). */
export type PasskeyService = ReturnType<typeof createPasskeyService>;
