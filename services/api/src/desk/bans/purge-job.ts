import type { Database, Transaction } from "@parley/database/prisma";
import { deleteMessages } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { Closable, Logger } from "@parley/service-runtime";
import { keyOfMember, type RestingRows } from "../../platform/load/resting-rows.js";
import { type DueRows, startBatches } from "../../platform/load/start-repeating.js";
import { advancePurge, claimPurge, findPurged, type Purge, restPurge } from "./purge-repository.js";

/** Messages that one step deletes: who sends to their channel waits for its transaction. */
const sizeMax = 50;

/**
 * Deletes what banned users wrote, as far as their bans say so (docs/interface.md#24.4): step by step, oldest first,
 * and each channel's messages under its ordering key. The notes are committed with the bans, so whichever process dies,
 * another one deletes the rest.
 */
export function startPurgingBanned(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  resting: RestingRows;
  logger: Logger;
  due: DueRows;
}): Closable {
  const { database, outbox, resting, logger, due } = options;

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

  return startBatches({
    async batch(size) {
      const purge = await claimPurge(database, resting.keys());
      if (purge === null) return false;
      const key = keyOfMember({ serverId: purge.server_id, userId: purge.user_id });
      await resting.one(key, () => step(purge, size));
      return true;
    },
    sizeMax,
    due,
    onFailure: (err) => logger.warn({ err }, "messages of banned users could not be deleted yet"),
  });
}
