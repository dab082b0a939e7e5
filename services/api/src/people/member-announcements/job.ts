import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { findMember, type Membership } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { keyOfMember } from "../../platform/jobs/resting-rows.js";
import { claimAnnouncements, dueAnnouncements, endAnnouncement } from "./repository.js";

/**
 * Emits MEMBER_UPDATE in the servers of users whose picture has changed. The event has its place in the order of its
 * server, so it is stored under the server's key with the member's state of that moment: an earlier transaction could
 * announce a member who has left since. One server at a time, because a bot has 10,000 and a locked key delays its
 * server. The notes are committed with the picture, so whichever process dies, another one announces the rest.
 */
export function announceMembers({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  const announce = (membership: Membership) => {
    const server_id = membership.serverId;
    return outbox.transaction([{ server_id }], async (transaction, emit) => {
      if (!(await endAnnouncement(transaction, membership))) return;
      const member = await findMember(transaction, membership);
      if (member !== null) emit(createEvent("MEMBER_UPDATE", { server_id }, { server_id, member }));
    });
  };

  return {
    name: "member announcements",
    causes: ["MEMBER_UPDATE"],
    when: { due: dueAnnouncements },
    sizeMax: 50,
    async batch({ size, resting }) {
      const claimed = await claimAnnouncements(database, size);
      await resting.each(claimed, keyOfMember, announce);
      return untilNone(claimed.length);
    },
  };
}
