import { errorTexts, forbidden, ServiceError } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import { isRefused, type JoinAttempt, noteRefusedJoin } from "./join-repository.js";

/** @throws ServiceError 403 for a young account while the server is under raid, unless it is a member or banned */
export async function requireNoRaid(connection: Queryable, joining: JoinAttempt): Promise<void> {
  if (await isRefused(connection, joining)) throw forbidden(errorTexts.under_raid);
}

/** Runs a join, and counts it after its transaction if a raid refused it: a raid lasts as long as attempts go on. */
export async function countingRefusal<T>(database: Database, joining: JoinAttempt, join: () => Promise<T>): Promise<T> {
  try {
    return await join();
  } catch (error) {
    if (error instanceof ServiceError && error.message === errorTexts.under_raid)
      await noteRefusedJoin(database, joining);
    throw error;
  }
}
