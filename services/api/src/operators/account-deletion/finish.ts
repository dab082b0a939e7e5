import { setTimeout as pause } from "node:timers/promises";
import type { ClientEventName } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import type { OwnAccountDeletion } from "../../accounts/own-account/service.js";
import type { LeaveServer } from "../../community/members/leave-server.js";
import type { DeleteServer } from "../../community/servers/delete-server.js";
import { findOwnedServers, findServersOf } from "../../community/servers/repository.js";
import type { LeaveGroups } from "../../conversations/groups/leave.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { beginAccountDeletion } from "./begin.js";
import { claimDeletion, clearAuthor, deleteAccount } from "./repository.js";

/** How long a request waits for the deletion that it began; the rest is deleted after the answer. */
const deletionWaitMs = 5_000;

/** Events of the job that continues deletions. A deletion that a request began belongs to the request. */
const deletionCauses = [
  "DM_CHANNEL_LEAVE",
  "DM_CHANNEL_UPDATE",
  "MEMBER_LEAVE",
  "SERVER_LEAVE",
  "COMMANDS_UPDATE",
  "VOICE_STATE_UPDATE",
  "GO_LIVE_STOP",
] as const satisfies ClientEventName[];

/** Deletes the remains of deleted accounts, beside the requests. */
export interface AccountDeletion extends OwnAccountDeletion {
  /**
   * Deletes the account that a transaction began to delete. Resolves when it is deleted, or after
   * {@link deletionWaitMs}; the rest is then deleted after the answer. Never rejects.
   */
  finish(userId: string): Promise<void>;
  /** Continues deletions that another process left unfinished. */
  readonly job: Job;
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

  return {
    begin: beginAccountDeletion,
    async finish(userId) {
      const waiting = new AbortController();
      await Promise.race([
        run(userId).finally(() => waiting.abort()),
        pause(deletionWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
    },
    job: {
      name: "account deletion",
      causes: deletionCauses,
      when: { everyMs: 5_000 },
      async batch() {
        const userId = await claimDeletion(database);
        if (userId === undefined) return untilNone(0);
        await run(userId);
        return untilNone(1);
      },
      async close() {
        stop.abort();
        await Promise.all(underWay);
      },
    },
  };
}
