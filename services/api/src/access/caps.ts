import { type Cap, errorTexts, invalidInput, ServiceError } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { lockExistingAccount } from "./repository.js";

// Caps per account and per server (docs/protocol/limits.md#16.3), so that no tenant slows another one down. Rows over a cap
// stay; only new ones are refused. A cap is the last check of a request: every other error takes precedence, and a
// repetition that stores nothing new is not refused.
//
// Counting is exact because transactions that count the same things take turns: for things of a server by its row's
// lock, for things of an account by lockAccount(). The count is a statement after that lock, so it sees what was
// committed before.

/** Text of the 400 at a cap. */
export function capText({ max, things }: Cap): string {
  return errorTexts[`${things}_limit_reached`](max);
}

/**
 * @param count number of existing ones; the caller may stop counting at the cap
 * @throws ServiceError 400 when one more would be over the cap
 */
export function requireBelowCap(cap: Cap, count: number): void {
  if (count >= cap.max) throw invalidInput(capText(cap));
}

/**
 * Serializes an account's deletion and the transactions that count its rows and add to them. Taken before a server's
 * lock, never after it.
 *
 * @param accountId lower-case id of a user or bot
 * @throws ServiceError 401 when the account's deletion has begun, so that nothing is added to it any more
 */
export async function lockAccount(transaction: Transaction, accountId: string): Promise<void> {
  if (!(await lockExistingAccount(transaction, accountId)))
    throw new ServiceError("unauthenticated", errorTexts.invalid_token);
}
