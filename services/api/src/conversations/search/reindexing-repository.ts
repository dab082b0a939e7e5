import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** SQL: whether all messages have the words of their language. */
export const isReindexedColumn = "coalesce((SELECT finished_at IS NOT NULL FROM search_reindexing), true)";

const isReindexedStatement = defineStatement({
  name: "search_is_reindexed",
  text: `SELECT ${isReindexedColumn} AS is_reindexed`,
  row: ({ is_reindexed }: RawRow) => is_reindexed === true,
});

/** Whether all messages have the words of their language; before, others are found by indexes of before. */
export async function isReindexed(connection: Queryable): Promise<boolean> {
  return (await connection.query(isReindexedStatement, []))[0] ?? true;
}

/** `again`: messages may have words that an earlier version made. */
const isLeft = "(finished_at IS NULL OR again)";
const isDue = `${isLeft} AND NOT paused`;
/** Whether there is work for the reindexing. */
export const dueReindexing = `SELECT FROM search_reindexing WHERE ${isDue}`;

const progressRow = z.object({
  done: z.coerce.number(),
  total: z.coerce.number(),
  paused: z.boolean(),
  /** Whether messages are left, paused or not. */
  isDue: z.boolean(),
  started_at: z.date(),
  finished_at: z.date().nullable(),
});
/** How far the reindexing is, in messages; the total is an estimate until the end. */
export type ReindexingProgress = z.infer<typeof progressRow>;
const progressStatement = defineStatement({
  name: "search_reindexing_find",
  text: `SELECT done, greatest(total, done) AS total, paused, ${isLeft} AS "isDue", started_at, finished_at FROM search_reindexing`,
  row: progressRow,
});

const pauseStatement = defineStatement({
  name: "search_reindexing_pause",
  text: "UPDATE search_reindexing SET paused = $1",
});

/** Only one process goes on at a time. */
const lockStatement = defineStatement({
  name: "search_reindexing_lock",
  text: `SELECT position, dm_position FROM search_reindexing WHERE ${isDue} FOR UPDATE SKIP LOCKED`,
  row: z.object({ position: z.string().nullable(), dm_position: z.string().nullable() }),
});

/** Words of now have the code of their language among them. */
const isOfBefore = "(m.language IS NULL OR (m.search @@ quote_literal(':' || m.language)::tsquery) IS NOT TRUE)";

/** The next messages of before in the order of ids, the newest first; $1 the last one of the batch before. */
const unindexed = (table: string, words: string) =>
  defineStatement({
    name: `search_unindexed_${table}`,
    text: `SELECT m.id, ${words} AS text FROM ${table} m
      WHERE ${isOfBefore} AND ($1::uuid IS NULL OR m.id < $1::uuid) ORDER BY m.id DESC LIMIT $2`,
    isPlannedEachTime: true,
    row: z.object({ id: z.string(), text: z.string() }),
  });
/** A trigger makes the words; an edit in between has made them already. */
const index = (table: string, otherwise: string) =>
  defineStatement({
    name: `search_index_${table}`,
    text: `UPDATE ${table} m SET language = coalesce(guess.language, ${otherwise}'en')
      FROM unnest($1::uuid[], $2::text[]) AS guess (id, language) WHERE m.id = guess.id AND ${isOfBefore}`,
  });
const moveStatement = defineStatement({
  name: "search_reindexing_move",
  text: `UPDATE search_reindexing SET position = coalesce($1, position), dm_position = coalesce($2, dm_position), done = done + $3`,
});
/** Messages that old processes changed meanwhile may be left: then everything is gone through again. */
const restartStatement = defineStatement({
  name: "search_reindexing_restart",
  text: `UPDATE search_reindexing SET position = NULL, dm_position = NULL
    WHERE EXISTS (SELECT FROM messages WHERE language IS NULL) OR EXISTS (SELECT FROM dm_messages WHERE language IS NULL)`,
});
const endStatement = defineStatement({ name: "search_reindexing_end", text: "SELECT end_search_reindexing()::text" });
const onceStatement = defineStatement({
  name: "search_reindexing_once",
  text: "UPDATE search_reindexing SET again = false",
});

const kinds = [
  {
    position: "position" as const,
    find: unindexed("messages", "concat_ws(' ', m.content, m.embed_texts)"),
    index: index("messages", "(SELECT lower(left(s.language, 2)) FROM servers s WHERE s.id = m.server_id), "),
  },
  { position: "dm_position" as const, find: unindexed("dm_messages", "m.content"), index: index("dm_messages", "") },
];

export async function findReindexing(connection: Queryable): Promise<ReindexingProgress | null> {
  return (await connection.query(progressStatement, []))[0] ?? null;
}

export async function pauseReindexing(transaction: Transaction, paused: boolean): Promise<void> {
  await transaction.execute(pauseStatement, [paused]);
}

/**
 * Gives the next messages of before the words of their languages.
 *
 * @returns how many; 0 when none are left, or another process is at it
 */
export async function reindexMessages(
  transaction: Transaction,
  { size, languageOf }: { size: number; languageOf: (text: string) => string | null },
): Promise<number> {
  const [place] = await transaction.query(lockStatement, []);
  if (place === undefined) return 0;
  for (const { position, find, index } of kinds) {
    const rows = await transaction.query(find, [place[position], size]);
    const last = rows.at(-1);
    if (last === undefined) continue;
    await transaction.execute(index, [rows.map(({ id }) => id), rows.map(({ text }) => languageOf(text))]);
    const places = [position === "position" ? last.id : null, position === "dm_position" ? last.id : null];
    await transaction.execute(moveStatement, [...places, rows.length]);
    return rows.length;
  }
  if ((await transaction.execute(restartStatement, [])) === 0) {
    await transaction.execute(endStatement, []);
    await transaction.execute(onceStatement, []);
  }
  return 0;
}
