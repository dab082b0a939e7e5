import { caps, duplicateWindowMs, errorTexts, notFound } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation } from "@parley/database";
import type { AutomodConfig, AutomodLog, AutomodWord, Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { UpdateConfig } from "./schema.js";

/** Entries that the log shows (docs/protocol/limits.md#16.1). */
const logEntriesMax = 100;

/** An author's latest messages that are read with a server's settings: more than any spam limit allows. */
const evidenceMessagesMax = 100;

/**
 * Evidence that clears most messages without another query (docs/protocol/automod.md#11.2, rules 5 and 6), read only where a
 * rule needs it. For a user `q.user_id` in a channel `c` of a server with the configuration `a`. More messages than the
 * rules can use are no evidence.
 *
 * Measured against rules that query the database for each message (`npm run bench -- automod`,
 * each twice in turn, two busy cores): all rules add 1.5 and 3.7 ms to a message instead of 5.0 and 7.6 ms, and take 70
 * and 73 µs of automod's processor time instead of 142 and 159 µs.
 */
export const automodEvidenceColumn = `CASE WHEN a.enabled AND (a.duplicate_enabled OR a.spam_enabled) THEN json_build_object(
    'recent_texts', CASE WHEN a.duplicate_enabled THEN (
      SELECT CASE WHEN count(*) <= ${evidenceMessagesMax} THEN coalesce(json_agg(crc32(convert_to(content, 'UTF8'))), '[]') END
      FROM (
        SELECT r.content FROM messages r
        WHERE r.author_id = q.user_id AND r.channel_id = c.id AND NOT r.deleted
          AND r.created_at >= now() - interval '${duplicateWindowMs} milliseconds'
        LIMIT ${evidenceMessagesMax + 1}) AS recent) END,
    'recent_messages', CASE WHEN a.spam_enabled THEN (
      SELECT count(*) FROM (
        SELECT FROM messages r
        WHERE r.author_id = q.user_id AND r.server_id = c.server_id
          AND r.created_at > now() - a.spam_window_secs * interval '1 second'
        LIMIT ${evidenceMessagesMax}) AS recent) END) END AS automod_evidence`;

const wordColumns = "id, server_id, word, created_by, created_at";
const wordRow = z.object({
  id: z.string(),
  server_id: z.string(),
  word: z.string(),
  created_by: z.string().nullable(),
  created_at: z.date(),
});

/**
 * A new word and the new version of the list are one statement. The update waits for other changes of the list, so every
 * committed version has exactly one content.
 */
const insertStatement = defineStatement({
  name: "automod_word_insert",
  text: `WITH server AS (
      UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1 RETURNING id)
    INSERT INTO automod_words (server_id, word, created_by) SELECT id, $2, $3 FROM server
    RETURNING ${wordColumns}`,
  row: wordRow,
});

const findStatement = defineStatement({
  name: "automod_word_find",
  text: `SELECT ${wordColumns} FROM automod_words WHERE server_id = $1 AND word = $2`,
  row: wordRow,
});

const deleteStatement = defineStatement({
  name: "automod_word_delete",
  text: `WITH server AS (
      UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1)
    DELETE FROM automod_words WHERE server_id = $1 AND word = $2`,
});

/** The entry that has a word. */
export async function findWord(connection: Queryable, serverId: string, word: string) {
  const [found] = await connection.query(findStatement, [serverId, word]);
  return found;
}

/** How many words a server filters, counted up to the cap. */
export function countWords({ prisma }: Queryable, serverId: string): Promise<number> {
  return prisma.automodWord.count({ where: { server_id: serverId }, take: caps.words.max });
}

/** @returns undefined when the server is gone */
export async function insertWord(connection: Queryable, serverId: string, entry: { word: string; createdBy: string }) {
  const [added] = await connection.query(insertStatement, [serverId, entry.word, entry.createdBy]);
  return added;
}

/** @returns false when it was not there */
export async function deleteWord(connection: Queryable, serverId: string, word: string): Promise<boolean> {
  return (await connection.execute(deleteStatement, [serverId, word])) > 0;
}

/** The words of a server in the order of insertion. */
export function findWords({ prisma }: Queryable, serverId: string): Promise<AutomodWord[]> {
  return prisma.automodWord.findMany({ where: { server_id: serverId }, orderBy: { id: "asc" } });
}

/** The settings of a server; null when they were never set. */
export function findConfig({ prisma }: Queryable, serverId: string): Promise<AutomodConfig | null> {
  return prisma.automodConfig.findUnique({ where: { server_id: serverId } });
}

/** @throws ServiceError 404 when the server is gone */
export async function putConfig(
  { prisma }: Queryable,
  serverId: string,
  changes: UpdateConfig,
): Promise<AutomodConfig> {
  try {
    return await prisma.automodConfig.upsert({
      where: { server_id: serverId },
      create: { server_id: serverId, ...changes },
      update: { ...changes, updated_at: new Date() },
    });
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound(errorTexts.server_not_found) : error;
  }
}

/** The latest entries of a server's log, newest first. */
export function findLog({ prisma }: Queryable, serverId: string): Promise<AutomodLog[]> {
  return prisma.automodLog.findMany({
    where: { server_id: serverId },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    take: logEntriesMax,
  });
}
