import { conflict, createEvent, errorTexts, forbidden, notFound } from "@parley/contracts";
import { isUniqueViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Request } from "express";
import { lockAccount } from "../../access/caps.js";
import type { TellOwner } from "../account-changes/tell-owner.js";
import { type Device, deviceOf } from "../auth/device.js";
import { endSession } from "../auth/repository.js";
import type { RequirePassword } from "../auth/require-password.js";
import type { Attempts } from "./attempts.js";
import {
  connectAccount,
  disconnectAccount,
  findConnected,
  findIdentities,
  findSessionsOf,
  takeSignIn,
} from "./repository.js";

export function createLinks(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  attempts: Attempts;
  requirePassword: RequirePassword;
  tellOwner: TellOwner;
}) {
  const { database, outbox, attempts, requirePassword, tellOwner } = options;
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
          await connectAccount(transaction, person, { userId, isNew: false });
        });
      } catch (error) {
        if (isUniqueViolation(error, "oidc_identities_pkey")) throw conflict(errorTexts.sign_in_identity_taken);
        if (isUniqueViolation(error)) throw conflict(errorTexts.sign_in_already_connected);
        throw error;
      }
      tellOwner(userId, "link_added", deviceOf(request));
    },

    /**
     * Ends the connection of an account that has a password to sign in with, and the sessions that began by it.
     *
     * @throws ServiceError 403, 404, 429
     */
    async disconnect(userId: string, password: string, device: Device): Promise<void> {
      await requirePassword(userId, password, device);
      // A session ends once, so its event has no order to keep with others.
      await outbox.transaction([], async (transaction, emit) => {
        if (!(await disconnectAccount(transaction, userId))) throw notFound(errorTexts.sign_in_not_connected);
        for (const session_id of await findSessionsOf(transaction, userId)) {
          await endSession(transaction, { userId, sessionId: session_id });
          emit(createEvent("SESSION_CLOSE", { user_id: userId }, { connection_id: null, session_id }));
        }
      });
      tellOwner(userId, "link_removed", device);
    },
  };
}

/** Accounts that their owners connect with a person of the provider, and disconnect (docs/protocol/accounts.md#29.3). */
export type Links = ReturnType<typeof createLinks>;
