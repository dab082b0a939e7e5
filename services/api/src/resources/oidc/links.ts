import { conflict, errorTexts, forbidden, notFound } from "@parley/contracts";
import { isUniqueViolation } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import type { Request } from "express";
import { lockAccount } from "../../access/caps.js";
import type { Device } from "../auth/device.js";
import type { RequirePassword } from "../auth/require-password.js";
import type { Attempts } from "./attempts.js";
import { connectAccount, disconnectAccount, findConnected, findIdentities, takeSignIn } from "./repository.js";

export function createLinks(options: { database: Database; attempts: Attempts; requirePassword: RequirePassword }) {
  const { database, attempts, requirePassword } = options;
  return {
    /** Since when the account is connected; null when it is not. */
    async state(userId: string): Promise<{ connected_at: string | null }> {
      const [identity] = await findIdentities(database, userId);
      return { connected_at: identity?.created_at.toISOString() ?? null };
    },

    /**
     * Connects the caller's account with the person that the provider has named in an attempt of the caller.
     *
     * @throws ServiceError 403 for a code that counts no more or is of another browser or account, 409 when the account or the person is
     * connected
     */
    async connect(userId: string, code: string, request: Request): Promise<void> {
      const browserHash = attempts.browserHash(request);
      const person =
        browserHash === null ? undefined : await takeSignIn(database, code, { browserHash, linkUserId: userId });
      if (person === undefined) throw forbidden(errorTexts.sign_in_code_invalid);
      const taken = await findConnected(database, person);
      if (taken === userId) return;
      if (taken !== undefined) throw conflict(errorTexts.sign_in_identity_taken);
      try {
        await database.transaction(async (transaction) => {
          await lockAccount(transaction, userId);
          await connectAccount(transaction, person, userId);
        });
      } catch (error) {
        if (isUniqueViolation(error, "oidc_identities_pkey")) throw conflict(errorTexts.sign_in_identity_taken);
        if (isUniqueViolation(error)) throw conflict(errorTexts.sign_in_already_connected);
        throw error;
      }
    },

    /** Ends the connection of an account that has a password to sign in with. @throws ServiceError 403, 404, 429 */
    async disconnect(userId: string, password: string, device: Device): Promise<void> {
      await requirePassword(userId, password, device);
      if (!(await disconnectAccount(database, userId))) throw notFound(errorTexts.sign_in_not_connected);
    },
  };
}

/** Accounts that their owners connect with a person of the provider, and disconnect (docs/interface.md#29.3). */
export type Links = ReturnType<typeof createLinks>;
