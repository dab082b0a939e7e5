import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";

/** Deletes accounts with all that they have in domains above, which implement it. */
export interface OwnAccountDeletion {
  /** In the caller's transaction; see `beginAccountDeletion`. */
  begin(transaction: Transaction, emit: Emit, userId: string): Promise<void>;
  /** After it. Never rejects. */
  finish(userId: string): Promise<void>;
}
