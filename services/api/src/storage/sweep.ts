import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { z } from "zod";
import { attachmentKey, emojiKey, folders, parseAttachmentKey, parseEmojiKey } from "./keys.js";
import { sweepAgeMs, sweepBatchSize, sweepIntervalMs } from "./limits.js";
import type { FileStorage } from "./storage.js";

interface SweepOptions {
  database: Database;
  storage: FileStorage;
  logger: Logger;
}

/** Those of the keys whose file is still needed; a key of unknown form counts as needed and is never removed. */
type FindNeeded = (connection: Queryable, keys: readonly string[]) => Promise<string[]>;

/** Attachments of a deleted message are out of reach for good, so they do not need their files. */
const attachmentStatement = defineStatement({
  name: "sweep_attachments",
  text: `WITH file AS (SELECT * FROM unnest($1::uuid[], $2::text[]) AS file (folder_id, stored_name)),
    named AS (
      SELECT a.message_id, a.stored_name, a.upload_id FROM file
      JOIN attachments a ON a.message_id = file.folder_id AND a.stored_name = file.stored_name
      WHERE a.upload_id IS NULL
      UNION ALL
      SELECT a.message_id, a.stored_name, a.upload_id FROM file
      JOIN attachments a ON a.upload_id = file.folder_id AND a.stored_name = file.stored_name)
    SELECT named.* FROM named JOIN messages m ON m.id = named.message_id
    WHERE NOT m.deleted`,
  row: z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() }),
});

const emojiStatement = defineStatement({
  name: "sweep_emojis",
  text: "SELECT id FROM custom_emojis WHERE id = ANY($1::uuid[])",
  row: (row: RawRow) => String(row.id),
});

const findNeededAttachments: FindNeeded = async (connection, keys) => {
  const places = keys.flatMap((key) => parseAttachmentKey(key) ?? []);
  const rows = await connection.query(attachmentStatement, [
    places.map(({ folder_id }) => folder_id),
    places.map(({ stored_name }) => stored_name),
  ]);
  return [...keys.filter((key) => parseAttachmentKey(key) === null), ...rows.map(attachmentKey)];
};

const findNeededEmojis: FindNeeded = async (connection, keys) => {
  const ids = keys.flatMap((key) => parseEmojiKey(key) ?? []);
  const found = await connection.query(emojiStatement, [ids]);
  return [...keys.filter((key) => parseEmojiKey(key) === null), ...found.map(emojiKey)];
};

/**
 * Removes, now and every hour, files that no row refers to: files of uploads that a crash interrupted, of deleted
 * messages, channels, servers and emoji. Every process does it; doing it twice does no harm.
 */
export function startSweep(options: SweepOptions): Closable {
  const { logger } = options;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = sweep(options, stop.signal).catch((err: unknown) => {
      logger.warn({ err }, "could not look for files without a row");
    });
  };
  run();
  const timer = setInterval(run, sweepIntervalMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}

async function sweep({ database, storage, logger }: SweepOptions, stop: AbortSignal): Promise<void> {
  const before = new Date(Date.now() - sweepAgeMs);
  const remove = async (keys: readonly string[], findNeeded: FindNeeded) => {
    const needed = new Set(await findNeeded(database, keys));
    const garbage = keys.filter((key) => !needed.has(key));
    for (const key of garbage) await storage.delete(key);
    if (garbage.length > 0) logger.info({ files: garbage.length }, "removed files without a row");
  };
  const sweepFolder = async (folder: string, findNeeded: FindNeeded) => {
    let batch: string[] = [];
    for await (const { key, modifiedAt } of storage.list(folder)) {
      if (stop.aborted) return;
      if (modifiedAt < before) batch.push(key);
      if (batch.length < sweepBatchSize) continue;
      await remove(batch, findNeeded);
      batch = [];
    }
    if (batch.length > 0) await remove(batch, findNeeded);
  };
  await sweepFolder(folders.attachments, findNeededAttachments);
  await sweepFolder(folders.emojis, findNeededEmojis);
}
