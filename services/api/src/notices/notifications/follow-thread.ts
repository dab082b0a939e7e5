import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { lockAccount } from "../../access/caps.js";
import { findNotifications, findSetThreads, insertFollowed, keepNewestThreads, type Reader } from "./repository.js";

/** Threads that an account has settings of; the one set longest ago goes when another one is followed. */
const threadsMax = 1_000;
/** Most readers that one statement asks for, and statements at a time. */
const batchMax = 100;
const inFlightMax = 2;

/**
 * Lets who wrote in a thread follow it, unless they have said otherwise (docs/protocol/notifications.md#26.1). The reply is stored already, so a
 * failure is logged: the next reply follows the thread.
 */
export type FollowThread = (reader: Reader) => Promise<void>;

export function createFollowThread(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  logger: Logger;
}): FollowThread {
  const { database, outbox, logger } = options;
  const hasSettings = createBatcher({
    batchMax,
    inFlightMax,
    work: (readers: readonly Reader[]) => findSetThreads(database, readers),
  });

  const follow = ({ userId, rootId }: Reader) =>
    outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
      await lockAccount(transaction, userId);
      await followWithin(transaction, emit, { userId, rootId, since: null });
    });

  return async (reader) => {
    try {
      if (!(await hasSettings(reader))) await follow(reader);
    } catch (err) {
      logger.warn({ err, user_id: reader.userId }, "a thread is not followed");
    }
  };
}

/**
 * The same in a transaction that has locked the account.
 *
 * @param reader.since replies after it are unread; null for those from now on
 */
export async function followWithin(
  transaction: Transaction,
  emit: Emit,
  reader: Reader & { since: Date | null },
): Promise<void> {
  const { userId } = reader;
  if (!(await insertFollowed(transaction, reader))) return;
  await keepNewestThreads(transaction, userId, threadsMax);
  emit(createEvent("NOTIFICATIONS_UPDATE", { user_id: userId }, await findNotifications(transaction, userId)));
}
