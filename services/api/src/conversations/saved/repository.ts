import { caps } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

const savedRow = z.object({ message_id: z.string(), saved_at: z.date(), note: z.string().nullable() });
export type SavedRow = z.infer<typeof savedRow>;

const columns = "s.message_id, s.saved_at, s.note";

const listStatement = defineStatement({
  name: "saved_list",
  text: `SELECT ${columns} FROM saves s
    WHERE s.user_id = $1 AND (s.saved_at, s.message_id) < ($2::timestamptz, $3::uuid)
    ORDER BY s.saved_at DESC, s.message_id DESC LIMIT $4`,
  row: savedRow,
});

const findStatement = defineStatement({
  name: "saved_find",
  text: `SELECT ${columns} FROM saves s WHERE s.user_id = $1 AND s.message_id = $2`,
  row: savedRow,
});

const countStatement = defineStatement({
  name: "saved_count",
  text: "SELECT count(*)::integer AS count FROM saves WHERE user_id = $1",
  row: (row: RawRow) => Number(row.count),
});

const insertStatement = defineStatement({
  name: "saved_insert",
  text: `INSERT INTO saves AS s (user_id, message_id, note) VALUES ($1, $2, $3) RETURNING ${columns}`,
  row: savedRow,
});

const noteStatement = defineStatement({
  name: "saved_note",
  text: `UPDATE saves s SET note = $3 WHERE s.user_id = $1 AND s.message_id = $2 RETURNING ${columns}`,
  row: savedRow,
});

const deleteStatement = defineStatement({
  name: "saved_delete",
  text: "DELETE FROM saves WHERE user_id = $1 AND message_id = $2",
});

/** Deletes saves of messages that are gone, not of messages that the user may not see at the moment. */
const deleteGoneStatement = defineStatement({
  name: "saved_delete_gone",
  text: `DELETE FROM saves s WHERE s.user_id = $1
      AND NOT EXISTS (SELECT FROM messages m WHERE m.id = s.message_id AND NOT m.deleted)
      AND NOT EXISTS (SELECT FROM dm_messages m WHERE m.id = s.message_id)`,
});

/** Place in the list of an account. */
export type SavedPlace = Pick<SavedRow, "saved_at" | "message_id">;

/** Place before the message that was saved last. */
export const listStart: SavedPlace = {
  saved_at: new Date("9999-12-31T00:00:00.000Z"),
  message_id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/** Saved messages of an account behind a place, the one saved last first; some of them may be gone. */
export function findSaved(
  connection: Queryable,
  userId: string,
  { after, limit }: { after: SavedPlace; limit: number },
): Promise<SavedRow[]> {
  return connection.query(listStatement, [userId, after.saved_at, after.message_id, limit]);
}

export async function findSave(connection: Queryable, userId: string, messageId: string): Promise<SavedRow | null> {
  const [row] = await connection.query(findStatement, [userId, messageId]);
  return row ?? null;
}

/** How many messages an account keeps; at the cap those that are gone for good are dropped first. */
export async function countSaves(transaction: Transaction, userId: string): Promise<number> {
  const count = async () => (await transaction.query(countStatement, [userId]))[0] ?? 0;
  const before = await count();
  if (before < caps.savedMessages.max) return before;
  await transaction.execute(deleteGoneStatement, [userId]);
  return count();
}

/** @throws when the account keeps the message already */
export async function insertSave(
  transaction: Transaction,
  save: { userId: string; messageId: string; note: string | null },
): Promise<SavedRow> {
  const [row] = await transaction.query(insertStatement, [save.userId, save.messageId, save.note]);
  if (row === undefined) throw new Error("An INSERT returned no row");
  return row;
}

/** @returns undefined when the account does not keep the message any more */
export async function changeNote(
  transaction: Transaction,
  save: { userId: string; messageId: string; note: string | null },
): Promise<SavedRow | undefined> {
  const [row] = await transaction.query(noteStatement, [save.userId, save.messageId, save.note]);
  return row;
}

/** @returns whether the account kept the message */
export async function deleteSave(transaction: Transaction, userId: string, messageId: string): Promise<boolean> {
  return (await transaction.execute(deleteStatement, [userId, messageId])) > 0;
}
