import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { attachmentKey, directAttachmentKey, type StoredAttachment } from "../../platform/files/storage/keys.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import type { RestingRows } from "../../platform/jobs/resting-rows.js";
import { expireBatch, expireDirectMessages, findNextChannel, firstServer, noteExpired } from "./repository.js";

const dayMs = 86_400_000;
/** How often each process searches all servers for expired messages. */
const searchIntervalMs = 3_600_000;

/**
 * Removes expired messages with their files: those older than the days of their server or of the instance, and direct
 * messages older than the days of the instance.
 *
 * Each process searches all servers when it starts and every hour, and notes channels with expired messages in the
 * table `expirations`. All processes remove the messages of noted channels in batches, each ordered with the channel's
 * other events. A row of `expirations` is locked during a batch, so two processes work on different channels, but for
 * those that choose at the same moment; after a crash any other process continues.
 *
 * @param options.instanceDays null when only servers set days
 */
export function expireMessages(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  deleteFiles: DeleteFiles;
  instanceDays: number | null;
}): Job {
  const { database, outbox, deleteFiles, instanceDays } = options;
  let lookAt = performance.now();
  /** Id of the server after which the search continues; null when it is complete. */
  let after: string | null = null;

  const look = async (): Promise<boolean> => {
    if (after === null && performance.now() >= lookAt) {
      after = firstServer;
      lookAt = performance.now() + searchIntervalMs;
    }
    if (after === null) return false;
    after = await noteExpired(database, { instanceDays, after });
    return after !== null;
  };

  /** Removes a batch of the next channel, chosen before its ordering key is locked. @returns null when there is none */
  const expireNext = async (size: number, resting: RestingRows) => {
    const channel = await findNextChannel(database, resting.keys());
    if (channel === null) return null;
    const { channel_id } = channel;
    let expired: { count: number; files: StoredAttachment[] } = { count: 0, files: [] };
    const expire = () =>
      outbox.transaction([channel], async (transaction, emit) => {
        const { files, ids, events } = await expireBatch(transaction, { channelId: channel_id, size, instanceDays });
        if (ids.length > 0) emit(createEvent("MESSAGE_DELETE_BULK", channel, { channel_id, ids }));
        for (const event of events) emit(createEvent("EVENT_DELETE", channel, { ...event, channel_id }));
        expired = { count: ids.length, files };
      });
    await resting.one(channel_id, expire);
    return expired;
  };

  const expireDirect = async (size: number): Promise<number> => {
    if (instanceDays === null) return 0;
    const before = new Date(Date.now() - instanceDays * dayMs);
    const { count, files } = await expireDirectMessages(database, before, size);
    await deleteFiles(files.map(directAttachmentKey));
    return count;
  };

  return {
    name: "expired messages",
    causes: ["MESSAGE_DELETE_BULK", "EVENT_DELETE"],
    // Until an idle process finds channels that any process has noted.
    when: { everyMs: 2_000 },
    // With their dependent rows: a transaction has locks on them until its end, and senders to the channel wait for it.
    sizeMax: 100,
    async batch({ size, resting }) {
      if (await look()) return { rows: 0, more: true };
      const expired = await expireNext(size, resting);
      if (expired === null) return untilNone(await expireDirect(size));
      await deleteFiles(expired.files.map(attachmentKey));
      return { rows: expired.count, more: true };
    },
  };
}
