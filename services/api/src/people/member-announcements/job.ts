import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { findMember, type Membership } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { Closable, Logger } from "@parley/service-runtime";
import { keyOfMember, type RestingRows } from "../../platform/load/resting-rows.js";
import { type DueRows, startBatches } from "../../platform/load/start-repeating.js";
import { claimAnnouncements, endAnnouncement } from "./repository.js";

/** Announcements that a process takes at a time. */
const sizeMax = 50;

/**
 * Emits MEMBER_UPDATE in the servers of users whose picture has changed. The event has its place in the order of its
 * server, so it is stored under the server's key with what the member is then: an earlier transaction could announce a
 * member who has left since. One server at a time, because a bot has 10,000 and a key that is held delays its server.
 * The notes are committed with the picture, so whichever process dies, another one announces the rest.
 */
export function startAnnouncingMembers(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  resting: RestingRows;
  logger: Logger;
  due: DueRows;
}): Closable {
  const { database, outbox, resting, logger, due } = options;

  const announce = (membership: Membership) => {
    const server_id = membership.serverId;
    return outbox.transaction([{ server_id }], async (transaction, emit) => {
      if (!(await endAnnouncement(transaction, membership))) return;
      const member = await findMember(transaction, membership);
      if (member !== null) emit(createEvent("MEMBER_UPDATE", { server_id }, { server_id, member }));
    });
  };

  return startBatches({
    async batch(size) {
      const claimed = await claimAnnouncements(database, size);
      await resting.each(claimed, keyOfMember, announce);
      return claimed.length > 0;
    },
    sizeMax,
    due,
    onFailure: (err) => logger.warn({ err }, "changes of members could not be announced yet"),
  });
}
