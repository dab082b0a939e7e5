import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Found, Kind, MessageChange } from "./kind.js";

/**
 * Runs a change of a message, ordered with everything that happens in its channel. It may run several times.
 *
 * @param find reads the message and the rights of the caller. It runs under the lock that every change of the channel takes,
 * because the caller may have lost a right while the change waited
 */
export function changeMessage<F extends Found, T>(
  outbox: Outbox<Transaction>,
  kind: Kind<F>,
  { row, find }: { row: F["row"]; find: (connection: Queryable) => Promise<F> },
  work: (change: MessageChange<F>) => Promise<T>,
): Promise<T> {
  return outbox.transaction([kind.orderOf(row)], async (transaction, emit) => {
    const found = await find(transaction);
    return work({
      transaction,
      emit,
      found,
      announce(name, payload) {
        for (const event of kind.eventsOf(found, name, payload)) emit(event);
      },
    });
  });
}
