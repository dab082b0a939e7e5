import type { Database, Transaction } from "@parley/database/prisma";
import { deleteMessages } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { keyOfMember } from "../../platform/jobs/resting-rows.js";
import { advancePurge, claimPurge, duePurges, findPurged, type Purge, restPurge } from "./purge-repository.js";

/**
 * Deletes messages of banned users, as far as their bans ask for it (docs/protocol/moderation.md#24.4): step by step,
 * oldest first, and each channel's messages under its ordering key. The notes are committed with the bans, so whichever
 * process dies, another one deletes the rest.
 */
export function purgeBanned({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  const step = async (purge: Purge, size: number) => {
    const messages = await findPurged(database, purge, size);
    const last = messages.at(-1);
    if (last === undefined) {
      await restPurge(database, purge);
      return;
    }
    const { server_id: serverId } = purge;
    for (const channelId of new Set(messages.map(({ channel_id }) => channel_id))) {
      const ids = messages.filter(({ channel_id }) => channel_id === channelId).map(({ id }) => id);
      await outbox.transaction([{ server_id: serverId, channel_id: channelId }], (transaction, emit) =>
        deleteMessages(transaction, emit, { serverId, channelId, ids }),
      );
    }
    await advancePurge(database, purge, last.created_at);
  };

  return {
    name: "ban purges",
    causes: ["MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "EVENT_DELETE"],
    when: { due: duePurges },
    // Messages of one step: senders to their channel wait for its transaction.
    sizeMax: 50,
    async batch({ size, resting }) {
      const purge = await claimPurge(database, resting.keys());
      if (purge === null) return untilNone(0);
      const key = keyOfMember({ serverId: purge.server_id, userId: purge.user_id });
      await resting.one(key, () => step(purge, size));
      return untilNone(1);
    },
  };
}
