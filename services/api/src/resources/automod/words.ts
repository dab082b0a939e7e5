import { caps, errorTexts, notFound } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import { z } from "zod";
import { requireBelow } from "../../access/caps.js";

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
const addStatement = defineStatement({
  name: "automod_word_add",
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

const removeStatement = defineStatement({
  name: "automod_word_remove",
  text: `WITH server AS (
      UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1)
    DELETE FROM automod_words WHERE server_id = $1 AND word = $2`,
});

/**
 * Adds a word, or finds the entry that has it.
 *
 * @throws ServiceError 404 for a missing server, 400 when its filter is full
 */
export function addWord(
  database: Database,
  { serverId, word, createdBy }: { serverId: string; word: string; createdBy: string },
): Promise<z.infer<typeof wordRow>> {
  return database.transaction(async (transaction) => {
    await lockServer(transaction, serverId);
    const [found] = await transaction.query(findStatement, [serverId, word]);
    if (found !== undefined) return found;
    const { max } = caps.words;
    requireBelow(caps.words, await transaction.prisma.automodWord.count({ where: { server_id: serverId }, take: max }));
    const [added] = await transaction.query(addStatement, [serverId, word, createdBy]);
    if (added === undefined) throw notFound(errorTexts.server_not_found);
    return added;
  });
}

/** Removes a word, if it is there. */
export async function removeWord(connection: Queryable, serverId: string, word: string): Promise<void> {
  await connection.execute(removeStatement, [serverId, word]);
}
