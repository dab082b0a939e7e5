import { createEvent, errorTexts, type FriendState, notFound, ServiceError } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { findLivingAccounts } from "../users/repository.js";
import { type OthersAccountRow, toPublicProfile } from "../users/resource.js";

/** Two accounts during a change of their friendship. */
export interface Pair {
  caller: OthersAccountRow;
  other: OthersAccountRow;
}

/** The input of a change. */
export interface PairChange extends Pair {
  transaction: Transaction;
  emit: Emit;
}

/**
 * Changes the relation of two accounts: friends, or one blocked by the other. All such changes of either account follow
 * each other, over all processes, so counts and states that the change reads are those that it changes.
 *
 * @param change runs after the check that both accounts exist
 * @throws ServiceError 404 when there is no other account
 */
export function createChangePair(options: { outbox: Outbox<Transaction>; turns: ChangeTurns }) {
  const { outbox, turns } = options;
  return <T>(userId: string, otherId: string, change: (pair: PairChange) => Promise<T>): Promise<T> =>
    turns.run(userId, () =>
      outbox.transaction([{ user_id: userId }, { user_id: otherId }], async (transaction, emit) => {
        await lockAccount(transaction, userId);
        const accounts = await findLivingAccounts(transaction, [userId, otherId]);
        const caller = accounts.find(({ id }) => id === userId);
        const other = accounts.find(({ id }) => id === otherId);
        if (other === undefined) throw notFound(errorTexts.user_not_found);
        if (caller === undefined) throw new ServiceError("unauthenticated", errorTexts.invalid_token);
        return change({ caller, other, transaction, emit });
      }),
    );
}

export type ChangePair = ReturnType<typeof createChangePair>;

/** Notifies both users of the new state of their friendship. */
export function emitFriendUpdate(
  emit: Emit,
  { caller, other }: Pair,
  states: { caller: FriendState; other: FriendState },
): void {
  emit(createEvent("FRIEND_UPDATE", { user_id: caller.id }, { user: toPublicProfile(other), state: states.caller }));
  emit(createEvent("FRIEND_UPDATE", { user_id: other.id }, { user: toPublicProfile(caller), state: states.other }));
}
