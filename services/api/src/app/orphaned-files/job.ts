import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { folders } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { type Job, wholeRound } from "../../platform/jobs/job.js";
import {
  type FindNeeded,
  findNeededAttachments,
  findNeededDirectAttachments,
  findNeededDirectThumbnails,
  findNeededEmojis,
  findNeededImportParts,
  findNeededPictures,
  findNeededThumbnails,
} from "./repository.js";

/**
 * Age from which a file that no row names is an orphan. An upload writes its rows within the time that a request may
 * take, which is far less.
 */
const orphanAgeMs = 24 * 3_600_000;
/** Files that are looked up in the database at a time. */
const batchMax = 500;

const lookedIn = [
  [folders.attachments, findNeededAttachments],
  [folders.directAttachments, findNeededDirectAttachments],
  [folders.emojis, findNeededEmojis],
  [folders.imports, findNeededImportParts],
  [folders.pictures, findNeededPictures],
  [folders.thumbnails, findNeededThumbnails],
  [folders.directThumbnails, findNeededDirectThumbnails],
] as const;

/**
 * Compares the storage with the tables once a day, and deletes files that no row refers to: those of uploads that a crash
 * interrupted. Every process does it; doing it twice does no harm. The metric `job_rows_total` counts them.
 */
export function deleteOrphanedFiles(options: { database: Database; storage: FileStorage; logger: Logger }): Job {
  const { database, storage, logger } = options;
  const deleteOrphans = async (keys: readonly string[], findNeeded: FindNeeded) => {
    const needed = new Set(await findNeeded(database, keys));
    const orphans = keys.filter((key) => !needed.has(key));
    for (const key of orphans) await storage.delete(key);
    if (orphans.length > 0) logger.info({ files: orphans.length }, "removed files without a row");
    return orphans.length;
  };
  const lookIn = async (folder: string, findNeeded: FindNeeded, signal: AbortSignal) => {
    const before = new Date(Date.now() - orphanAgeMs);
    let batch: string[] = [];
    let deleted = 0;
    for await (const { key, modifiedAt } of storage.list(folder)) {
      if (signal.aborted) return deleted;
      if (modifiedAt < before) batch.push(key);
      if (batch.length < batchMax) continue;
      deleted += await deleteOrphans(batch, findNeeded);
      batch = [];
    }
    return deleted + (batch.length > 0 ? await deleteOrphans(batch, findNeeded) : 0);
  };
  return {
    name: "orphaned files",
    causes: [],
    when: { everyMs: 24 * 3_600_000 },
    async batch({ signal }) {
      let deleted = 0;
      for (const [folder, findNeeded] of lookedIn) deleted += await lookIn(folder, findNeeded, signal);
      return wholeRound(deleted);
    },
  };
}
