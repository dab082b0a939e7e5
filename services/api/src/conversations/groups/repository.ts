import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { groupColumns } from "../direct-messages/participants-repository.js";
import { type GroupRow, groupRow } from "../direct-messages/resource.js";

const insertStatement = defineStatement({
  name: "dm_group_insert",
  text: `WITH d AS (INSERT INTO dm_channels (name, opened_by) VALUES ($1, $2) RETURNING *),
    people AS (
      INSERT INTO dm_group_members (channel_id, user_id, position)
      SELECT d.id, person.id, person.position::integer FROM d, unnest($3::uuid[]) WITH ORDINALITY AS person (id, position))
    SELECT ${groupColumns}, $3::text[] AS members FROM d`,
  row: groupRow,
});

/** All changes of a group's members wait for each other here. A statement after it reads the members. */
const lockStatement = defineStatement({
  name: "dm_group_lock",
  text: "SELECT FROM dm_channels WHERE id = $1 AND user_low IS NULL FOR UPDATE",
});

const addStatement = defineStatement({
  name: "dm_group_add",
  text: `INSERT INTO dm_group_members (channel_id, user_id, position)
    SELECT $1, $2, max(position) + 1 FROM dm_group_members WHERE channel_id = $1`,
});

const removeStatement = defineStatement({
  name: "dm_group_remove",
  text: `WITH mark AS (DELETE FROM dm_read_states WHERE channel_id = $1 AND user_id = $2)
    DELETE FROM dm_group_members WHERE channel_id = $1 AND user_id = $2`,
});

const countStatement = defineStatement({
  name: "dm_group_count",
  text: "SELECT count(*)::integer AS groups FROM dm_group_members WHERE user_id = $1",
  row: z.object({ groups: z.int() }),
});

const ofUserStatement = defineStatement({
  name: "dm_groups_of_user",
  text: "SELECT channel_id FROM dm_group_members WHERE user_id = $1",
  row: z.object({ channel_id: z.string() }),
});

/** Stores a group of people, the owner first. @throws isForeignKeyViolation when an account is gone */
export async function insertGroup(
  transaction: Transaction,
  group: { name: string | null; openedBy: string; members: readonly string[] },
): Promise<GroupRow> {
  const [row] = await transaction.query(insertStatement, [group.name, group.openedBy, [...group.members]]);
  if (row === undefined) throw new Error("PostgreSQL returned no group");
  return row;
}

/** Keeps others from changing a group until the transaction ends. */
export async function lockGroup(transaction: Transaction, id: string): Promise<void> {
  await transaction.execute(lockStatement, [id]);
}

/** Adds somebody at the end of a group that is locked. @throws isForeignKeyViolation when the account is gone */
export async function addToGroup(transaction: Transaction, id: string, userId: string): Promise<void> {
  await transaction.execute(addStatement, [id, userId]);
}

/** Takes somebody out of a group that is locked, with their mark. One that nobody is in is removed in the background. */
export async function removeFromGroup(transaction: Transaction, id: string, userId: string): Promise<void> {
  await transaction.execute(removeStatement, [id, userId]);
}

/** Sets the given columns of a group. */
export async function updateGroup(
  { prisma }: Transaction,
  id: string,
  data: { name?: string | null; icon_url?: string | null },
): Promise<void> {
  await prisma.dmChannel.update({ where: { id }, data, select: { id: true } });
}

/** How many groups an account is in. */
export async function countGroups(transaction: Transaction, userId: string): Promise<number> {
  const [row] = await transaction.query(countStatement, [userId]);
  return row?.groups ?? 0;
}

/** The ids of the groups that a user is in. */
export async function findGroupsOf(connection: Queryable, userId: string): Promise<string[]> {
  return (await connection.query(ofUserStatement, [userId])).map(({ channel_id }) => channel_id);
}
