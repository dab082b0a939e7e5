import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Closable, Logger } from "@parley/service-runtime";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { attachmentKey, directAttachmentKey, type StoredAttachment } from "../../platform/files/storage/keys.js";
import type { RestingRows } from "../../platform/load/resting-rows.js";
import { startBatches } from "../../platform/load/start-repeating.js";
import { expireBatch, expireDirectMessages, findNextChannel, firstServer, noteExpired } from "./repository.js";

const dayMs = 86_400_000;
/** How often each process searches all servers for expired messages. */
const searchIntervalMs = 3_600_000;
/** How often an idle process looks for channels that any process has noted. */
const intervalMs = 2_000;
/**
 * Most messages, with their dependent rows, that one transaction removes: it holds locks on them until its end, and who
 * sends to the channel waits for it.
 */
const sizeMax = 100;

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
export function startExpiringMessages(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  deleteFiles: DeleteFiles;
  resting: RestingRows;
  logger: Logger;
  instanceDays: number | null;
}): Closable {
  const { database, outbox, deleteFiles, resting, logger, instanceDays } = options;
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
  const expireNext = async (size: number) => {
    const channel = await findNextChannel(database, resting.keys());
    if (channel === null) return null;
    const { channel_id } = channel;
    let deleted: StoredAttachment[] = [];
    const expire = () =>
      outbox.transaction([channel], async (transaction, emit) => {
        const { files, ids, events } = await expireBatch(transaction, { channelId: channel_id, size, instanceDays });
        if (ids.length > 0) emit(createEvent("MESSAGE_DELETE_BULK", channel, { channel_id, ids }));
        for (const event of events) emit(createEvent("EVENT_DELETE", channel, { ...event, channel_id }));
        deleted = files;
      });
    await resting.one(channel_id, expire);
    return deleted;
  };

  const expireDirect = async (size: number): Promise<boolean> => {
    if (instanceDays === null) return false;
    const before = new Date(Date.now() - instanceDays * dayMs);
    const { count, files } = await expireDirectMessages(database, before, size);
    await deleteFiles(files.map(directAttachmentKey));
    return count > 0;
  };

  return startBatches({
    async batch(size) {
      if (await look()) return true;
      const files = await expireNext(size);
      if (files === null) return expireDirect(size);
      await deleteFiles(files.map(attachmentKey));
      return true;
    },
    sizeMax,
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "expired messages could not be removed yet"),
  });
}
