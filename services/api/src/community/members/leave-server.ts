import type { Transaction } from "@parley/database/prisma";
import { createVoiceCleanup, lockServer, type Membership, removeMember } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";

/**
 * Ends a membership with its roles and voice state; succeeds also for a user who is no member.
 *
 * @throws ServiceError 404 when the server is gone
 */
export type LeaveServer = (member: Membership, reason: "left" | "account_deleted") => Promise<void>;

export function createLeaveServer(options: { outbox: Outbox<Transaction>; voice: Voice; logger: Logger }): LeaveServer {
  const { outbox, voice, logger } = options;
  const withVoiceCleanup = createVoiceCleanup({ voice, logger });
  return (member, reason) => {
    const remove = () =>
      outbox.transaction([{ server_id: member.serverId }], async (transaction, emit) => {
        // Before the member's row, in the same order as a concurrent grant of a role, so that they cannot deadlock.
        await lockServer(transaction, member.serverId);
        await removeMember(transaction, emit, { ...member, reason });
      });
    return withVoiceCleanup(member, remove);
  };
}
