import { setTimeout as pause } from "node:timers/promises";
import { defineStatement, type RawRow } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import type { LeaveServer } from "../../resources/members/leave-server.js";
import type { DeleteServer } from "../../resources/servers/delete-server.js";
import { findServersOf } from "../../resources/servers/repository.js";
import { claimSeconds, deletionBatchMax, deletionIntervalMs, deletionWaitMs } from "./limits.js";
import { deletionSteps, forgetAuthorStatement } from "./steps.js";

const claimStatement = defineStatement({
  name: "account_deletion_claim",
  text: `UPDATE account_deletions SET claimed_until = now() + make_interval(secs => $1)
    WHERE user_id = (
      SELECT user_id FROM account_deletions WHERE claimed_until < now()
      ORDER BY claimed_until LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING user_id`,
  row: (row: RawRow) => String(row.user_id),
});
const renewStatement = defineStatement({
  name: "account_deletion_renew",
  text: "UPDATE account_deletions SET claimed_until = now() + make_interval(secs => $2) WHERE user_id = $1",
});
const removeStatement = defineStatement({ name: "account_deletion_remove", text: "DELETE FROM users WHERE id = $1" });

/** Removes what deleted accounts leave, beside the requests. */
export interface AccountDeletion extends Closable {
  /**
   * Removes the account that a transaction began to delete. Resolves when it is removed, or after
   * {@link deletionWaitMs}; the rest is then removed after the answer. Never rejects.
   */
  finish(userId: string): Promise<void>;
}

/**
 * Every process continues deletions that another process left unfinished. All steps can be repeated.
 *
 * @param options.leaveServer ends a membership with its voice state
 */
export function createAccountDeletion(options: {
  database: Database;
  leaveServer: LeaveServer;
  deleteServer: DeleteServer;
  logger: Logger;
}): AccountDeletion {
  const { database, leaveServer, deleteServer, logger } = options;
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();

  const remove = async (userId: string): Promise<void> => {
    // A server that was created or joined by a request that began before the account was out of reach.
    const owned = await database.prisma.server.findMany({ where: { owner_id: userId }, select: { id: true } });
    for (const { id } of owned) await deleteServer(id, userId);
    for (const { id: serverId } of await findServersOf(database, userId)) {
      if (stop.signal.aborted) return;
      await database.execute(forgetAuthorStatement, [serverId, userId]);
      await leaveServer({ serverId, userId });
    }
    for (const step of deletionSteps) {
      while (!stop.signal.aborted && (await database.execute(step, [userId, deletionBatchMax])) === deletionBatchMax) {
        await database.execute(renewStatement, [userId, claimSeconds]);
      }
    }
    if (!stop.signal.aborted) await database.execute(removeStatement, [userId]);
  };

  const run = (userId: string): Promise<void> => {
    const running = remove(userId)
      .catch((err: unknown) => logger.warn({ err, user_id: userId }, "a deleted account is removed later"))
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };

  const continueOthers = async () => {
    while (!stop.signal.aborted) {
      try {
        const [userId] = await database.query(claimStatement, [claimSeconds]);
        if (userId !== undefined) {
          await run(userId);
          continue;
        }
      } catch (err) {
        logger.warn({ err }, "deleted accounts could not be looked for");
      }
      await pause(deletionIntervalMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const continuing = continueOthers();

  return {
    async finish(userId) {
      const waiting = new AbortController();
      await Promise.race([
        run(userId).finally(() => waiting.abort()),
        pause(deletionWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
    },
    async close() {
      stop.abort();
      await continuing;
      await Promise.all(underWay);
    },
  };
}
