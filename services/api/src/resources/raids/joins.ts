import { conflict, errorTexts, forbidden, ServiceError } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { isRefused, type Joining, noteJoin, noteRefusedJoin } from "./join-repository.js";

/** @throws ServiceError 403 for a young account while the server is under raid, unless it is a member or banned */
export async function requireNoRaid(connection: Queryable, joining: Joining): Promise<void> {
  if (await isRefused(connection, joining)) throw forbidden(errorTexts.under_raid);
}

/**
 * Counts a join in its transaction, which has locked the server.
 *
 * @returns whether it is one too many, so that a raid begins with it
 * @throws ServiceError 409 for a member, 403 for a banned user, and 403 as {@link requireNoRaid} for a raid that has
 * begun meanwhile
 */
export async function countJoin(transaction: Transaction, joining: Joining): Promise<boolean> {
  const { is_member, is_banned, is_refused, begins_raid } = await noteJoin(transaction, joining);
  if (is_member) throw conflict(errorTexts.already_member);
  if (is_banned) throw forbidden(errorTexts.banned);
  if (is_refused) throw forbidden(errorTexts.under_raid);
  return begins_raid;
}

/** Runs a join, and counts it after its transaction if a raid refused it: a raid lasts as long as it is tried. */
export async function countingRefusal<T>(database: Database, joining: Joining, join: () => Promise<T>): Promise<T> {
  try {
    return await join();
  } catch (error) {
    if (error instanceof ServiceError && error.message === errorTexts.under_raid)
      await noteRefusedJoin(database, joining);
    throw error;
  }
}
