import { notFound } from "@parley/contracts";
import { type Connection, defineStatement } from "@parley/database";
import { z } from "zod";

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
 * committed version stands for one content.
 */
const addStatement = defineStatement({
  name: "automod_word_add",
  text: `WITH server AS (
      UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1 RETURNING id)
    INSERT INTO automod_words (server_id, word, created_by) SELECT id, $2, $3 FROM server
    ON CONFLICT (server_id, word) DO NOTHING
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

/** How often an entry that vanishes between two looks is added anew. */
const attemptsMax = 5;

/**
 * Adds a word, or finds the entry that has it.
 *
 * @throws ServiceError 404 when the server is gone
 */
export async function addWord(
  connection: Connection,
  { serverId, word, createdBy }: { serverId: string; word: string; createdBy: string },
): Promise<z.infer<typeof wordRow>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [found] = await connection.query(findStatement, [serverId, word]);
    if (found !== undefined) return found;
    const [added] = await connection.query(addStatement, [serverId, word, createdBy]);
    if (added !== undefined) return added;
  }
  throw notFound("Server not found");
}

/** Removes a word, if it is there. */
export async function removeWord(connection: Connection, serverId: string, word: string): Promise<void> {
  await connection.execute(removeStatement, [serverId, word]);
}
