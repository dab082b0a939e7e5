import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "@parley/database/prisma";
import { type Operation, runOperation } from "@parley/messaging";
import type { Closable, Logger } from "@parley/service-runtime";
import { startRepeating } from "../../load/start-repeating.js";
import type { LeaveGroups } from "../../resources/groups/leave.js";
import type { LeaveServer } from "../../resources/members/leave-server.js";
import type { DeleteServer } from "../../resources/servers/delete-server.js";
import { findOwnedServers, findServersOf } from "../../resources/servers/repository.js";
import { claimDeletion, clearAuthor, deleteAccount } from "./repository.js";

/** Interval at which each process looks for deletions that another process left unfinished. */
const intervalMs = 5_000;
/** How long a request waits for the deletion that it began; the rest is deleted after the answer. */
const deletionWaitMs = 5_000;

/** A deletion that a request began belongs to the request, until its process ends. */
const continuation: Operation = {
  name: "account deletion",
  causes: [
    "DM_CHANNEL_LEAVE",
    "DM_CHANNEL_UPDATE",
    "MEMBER_LEAVE",
    "SERVER_LEAVE",
    "COMMANDS_UPDATE",
    "VOICE_STATE_UPDATE",
    "GO_LIVE_STOP",
  ],
};

/** Deletes what deleted accounts leave, beside the requests. */
export interface AccountDeletion extends Closable {
  /**
   * Deletes the account that a transaction began to delete. Resolves when it is deleted, or after
   * {@link deletionWaitMs}; the rest is then deleted after the answer. Never rejects.
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
  leaveGroups: LeaveGroups;
  logger: Logger;
}): AccountDeletion {
  const { database, leaveServer, deleteServer, leaveGroups, logger } = options;
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();

  const deleteAll = async (userId: string): Promise<void> => {
    // A server that was created or joined by a request that began before the account was out of reach.
    for (const serverId of await findOwnedServers(database, userId)) await deleteServer(serverId, userId);
    for (const { id: serverId } of await findServersOf(database, userId)) {
      if (stop.signal.aborted) return;
      await clearAuthor(database, serverId, userId);
      await leaveServer({ serverId, userId }, "account_deleted");
    }
    if (stop.signal.aborted) return;
    await leaveGroups(userId);
    await deleteAccount(database, userId, stop.signal);
  };

  const run = (userId: string): Promise<void> => {
    const running = deleteAll(userId)
      .catch((err: unknown) => logger.warn({ err, user_id: userId }, "a deleted account is removed later"))
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };

  const runLeft = async (signal: AbortSignal) => {
    for (let userId = await claimDeletion(database); userId !== undefined; userId = await claimDeletion(database)) {
      await run(userId);
      if (signal.aborted) return;
    }
  };
  const others = startRepeating({
    work: (signal) => runOperation(continuation, () => runLeft(signal)),
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "deleted accounts could not be looked for"),
  });
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
      await others.close();
      await Promise.all(underWay);
    },
  };
}
