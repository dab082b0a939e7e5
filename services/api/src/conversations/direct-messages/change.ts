import type { OutgoingEvent, Routing } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { directRouting, requireDirectMessage, requireMayWrite } from "./participants.js";
import type { DmMessageRow } from "./resource.js";

/** What changes a direct message. */
export interface DirectChange {
  transaction: Transaction;
  /** The message before. */
  row: DmMessageRow;
  /**
   * For what reaches the others as a message does.
   *
   * @throws ServiceError 403 for who may not write to one of them (docs/interface.md#28.3)
   */
  requireMayWrite(): Promise<void>;
  /** Announces the change to everybody in the channel. */
  tell(makeEvent: (target: { user_id: string }, routing: Routing) => OutgoingEvent): void;
}

/**
 * Runs a change of a direct message by one who is in its channel, ordered with everything that happens there. It may run
 * several times.
 *
 * @throws ServiceError 404 for others, and for a message that is gone
 */
export type ChangeDirectMessage = <T>(
  messageId: string,
  userId: string,
  work: (change: DirectChange) => Promise<T>,
) => Promise<T>;

/** Creates {@link ChangeDirectMessage}. */
export function createChangeDirectMessage(options: {
  database: Database;
  outbox: Outbox<Transaction>;
}): ChangeDirectMessage {
  const { database, outbox } = options;
  return async (messageId, userId, work) => {
    const { channel_id } = (await requireDirectMessage(database, messageId, userId)).row;
    return outbox.transaction([{ dm_channel_id: channel_id }], async (transaction, emit) => {
      // Read again under the lock of the channel, which all changes of its messages hold.
      const { row, audience } = await requireDirectMessage(transaction, messageId, userId);
      return work({
        transaction,
        row,
        requireMayWrite: () => requireMayWrite(transaction, userId, audience),
        tell(makeEvent) {
          const routing = directRouting(audience, channel_id);
          for (const user_id of audience.participants) emit(makeEvent({ user_id }, routing));
        },
      });
    });
  };
}
