import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { lockAccount } from "../../access/caps.js";
import { findNotifications, findSetThreads, keepNewestThreads, type Reader, saveTargets } from "./repository.js";

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
      const [isSet] = await findSetThreads(transaction, [{ userId, rootId }]);
      if (isSet) return;
      const thread = { kind: "thread", id: rootId, level: "all", mutedUntil: null, suppressEveryone: false } as const;
      await saveTargets(transaction, userId, [thread]);
      await keepNewestThreads(transaction, userId, threadsMax);
      emit(createEvent("NOTIFICATIONS_UPDATE", { user_id: userId }, await findNotifications(transaction, userId)));
    });

  return async (reader) => {
    try {
      if (!(await hasSettings(reader))) await follow(reader);
    } catch (err) {
      logger.warn({ err, user_id: reader.userId }, "a thread is not followed");
    }
  };
}
