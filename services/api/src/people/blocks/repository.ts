import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

const listStatement = defineStatement({
  name: "block_list",
  text: "SELECT blocked_id FROM user_blocks WHERE blocker_id = $1",
  row: ({ blocked_id }: RawRow) => String(blocked_id),
});

const findStatement = defineStatement({
  name: "block_find",
  text: "SELECT blocked_id FROM user_blocks WHERE blocker_id = $1 AND blocked_id = $2",
  row: ({ blocked_id }: RawRow) => String(blocked_id),
});

const countStatement = defineStatement({
  name: "block_count",
  text: "SELECT count(*)::integer AS count FROM user_blocks WHERE blocker_id = $1",
  row: z.object({ count: z.int() }).transform(({ count }) => count),
});

const insertStatement = defineStatement({
  name: "block_insert",
  text: "INSERT INTO user_blocks (blocker_id, blocked_id) VALUES ($1, $2)",
});

const deleteStatement = defineStatement({
  name: "block_delete",
  text: "DELETE FROM user_blocks WHERE blocker_id = $1 AND blocked_id = $2",
});

/** Ids of those whom a user has blocked, in no order. */
export function findBlocked(connection: Queryable, userId: string): Promise<string[]> {
  return connection.query(listStatement, [userId]);
}

export async function hasBlocked(transaction: Transaction, userId: string, otherId: string): Promise<boolean> {
  return (await transaction.query(findStatement, [userId, otherId])).length > 0;
}

export async function countBlocks(transaction: Transaction, userId: string): Promise<number> {
  const [count] = await transaction.query(countStatement, [userId]);
  return count ?? 0;
}

export async function insertBlock(transaction: Transaction, userId: string, otherId: string): Promise<void> {
  await transaction.execute(insertStatement, [userId, otherId]);
}

/** @returns whether there was a block */
export async function deleteBlock(transaction: Transaction, userId: string, otherId: string): Promise<boolean> {
  return (await transaction.execute(deleteStatement, [userId, otherId])) > 0;
}
