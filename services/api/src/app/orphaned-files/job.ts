import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { folders } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { startRepeating } from "../../platform/load/start-repeating.js";
import {
  type FindNeeded,
  findNeededAttachments,
  findNeededDirectAttachments,
  findNeededEmojis,
  findNeededPictures,
} from "./repository.js";

/**
 * Age from which a file that no row names is an orphan. An upload writes its rows within the time that a request may
 * take, which is far less.
 */
const orphanAgeMs = 3_600_000;
/** How often each process looks for orphans. */
const intervalMs = 3_600_000;
/** Files that are looked up in the database at a time. */
const batchMax = 500;

/**
 * Deletes files that no row refers to: files of uploads that a crash interrupted, of deleted messages, channels, servers,
 * emoji and pictures. Every process does it; doing it twice does no harm.
 */
export function startDeletingOrphanedFiles(options: {
  database: Database;
  storage: FileStorage;
  logger: Logger;
}): Closable {
  const { database, storage, logger } = options;
  const deleteOrphans = async (keys: readonly string[], findNeeded: FindNeeded) => {
    const needed = new Set(await findNeeded(database, keys));
    const orphans = keys.filter((key) => !needed.has(key));
    for (const key of orphans) await storage.delete(key);
    if (orphans.length > 0) logger.info({ files: orphans.length }, "removed files without a row");
  };
  const lookIn = async (folder: string, findNeeded: FindNeeded, signal: AbortSignal) => {
    const before = new Date(Date.now() - orphanAgeMs);
    let batch: string[] = [];
    for await (const { key, modifiedAt } of storage.list(folder)) {
      if (signal.aborted) return;
      if (modifiedAt < before) batch.push(key);
      if (batch.length < batchMax) continue;
      await deleteOrphans(batch, findNeeded);
      batch = [];
    }
    if (batch.length > 0) await deleteOrphans(batch, findNeeded);
  };
  return startRepeating({
    async work(signal) {
      await lookIn(folders.attachments, findNeededAttachments, signal);
      await lookIn(folders.directAttachments, findNeededDirectAttachments, signal);
      await lookIn(folders.emojis, findNeededEmojis, signal);
      await lookIn(folders.pictures, findNeededPictures, signal);
    },
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "could not look for files without a row"),
  });
}
