import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { KindName } from "../core/kind.js";

const refusal = z.object({ code: z.string(), message: z.string() });
export type Refusal = z.infer<typeof refusal>;

const plannedRow = z.object({
  id: z.string(),
  user_id: z.string(),
  kind: z.enum(["channel", "direct"]),
  channel_id: z.string(),
  thread_id: z.string().nullable(),
  content: z.string(),
  reply_to: z.string().nullable(),
  nonce: z.string(),
  send_at: z.date(),
  created_at: z.date(),
  refusal: refusal.nullable(),
});
export type PlannedRow = z.infer<typeof plannedRow>;

const columns = Object.keys(plannedRow.shape)
  .map((column) => `p.${column}`)
  .join(", ");

const listStatement = defineStatement({
  name: "planned_list",
  text: `SELECT ${columns} FROM planned_messages p WHERE p.user_id = $1 ORDER BY p.send_at, p.id`,
  row: plannedRow,
});

const findStatement = defineStatement({
  name: "planned_find",
  text: `SELECT ${columns} FROM planned_messages p WHERE p.user_id = $1 AND p.channel_id = $2 AND p.nonce = $3`,
  row: plannedRow,
});

const countStatement = defineStatement({
  name: "planned_count",
  text: "SELECT count(*)::integer AS count FROM planned_messages WHERE user_id = $1",
  row: (row: RawRow) => Number(row.count),
});

/** Without a nonce of the sender the id serves, by which a message that is sent again after a crash is known. */
const insertStatement = defineStatement({
  name: "planned_insert",
  text: `INSERT INTO planned_messages AS p
      (id, user_id, kind, channel_id, thread_id, content, reply_to, nonce, send_at, due_at)
    SELECT id, $1, $2, $3, $4, $5, $6, coalesce($7, id::text), $8, $8 FROM (SELECT uuidv7() AS id) AS made
    RETURNING ${columns}`,
  row: plannedRow,
});

/** Nobody is sending it at the moment. */
const isFree = "(claimed_until IS NULL OR claimed_until < now())";

const changeStatement = defineStatement({
  name: "planned_change",
  text: `UPDATE planned_messages p
    SET content = coalesce($3, content), send_at = coalesce($4::timestamptz, send_at),
      due_at = coalesce($4::timestamptz, send_at), refusal = NULL
    WHERE p.id = $1 AND p.user_id = $2 AND ${isFree} RETURNING ${columns}`,
  row: plannedRow,
});

const deleteStatement = defineStatement({
  name: "planned_delete",
  text: `DELETE FROM planned_messages WHERE id = $1 AND user_id = $2 AND ${isFree}`,
});

/** Has a row while a message is due; an index answers it. */
export const dueMessages = "SELECT FROM planned_messages WHERE due_at <= now()";

/** How long a process has a message to itself; then another one sends it, which a nonce keeps from happening twice. */
const claimSeconds = 5;

const claimedRow = plannedRow.extend({ may_act: z.boolean(), is_person: z.boolean() });
export type ClaimedMessage = z.infer<typeof claimedRow>;

const claimStatement = defineStatement({
  name: "planned_claim",
  text: `UPDATE planned_messages p
    SET due_at = now() + interval '${claimSeconds} seconds', claimed_until = now() + interval '${claimSeconds} seconds'
    FROM users u
    WHERE u.id = p.user_id AND p.id IN (
      SELECT id FROM planned_messages WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING ${columns}, u.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id AND b.revoked_at IS NOT NULL) AS may_act,
      NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id) AS is_person`,
  row: claimedRow,
});
const endStatement = defineStatement({
  name: "planned_end",
  text: "DELETE FROM planned_messages WHERE id = $1",
});

const refuseStatement = defineStatement({
  name: "planned_refuse",
  text: `UPDATE planned_messages p SET refusal = $2, due_at = NULL, claimed_until = NULL WHERE p.id = $1
    RETURNING ${columns}`,
  row: plannedRow,
});

/** The planned messages of an account, the next one first. */
export function findPlanned(connection: Queryable, userId: string): Promise<PlannedRow[]> {
  return connection.query(listStatement, [userId]);
}

/** The message that an account has planned with a nonce. */
export async function findPlannedBy(
  connection: Queryable,
  { userId, channelId, nonce }: { userId: string; channelId: string; nonce: string | null },
): Promise<PlannedRow | null> {
  if (nonce === null) return null;
  const [row] = await connection.query(findStatement, [userId, channelId, nonce]);
  return row ?? null;
}

export async function countPlanned(transaction: Transaction, userId: string): Promise<number> {
  const [count] = await transaction.query(countStatement, [userId]);
  return count ?? 0;
}

/** A message to be planned. */
export interface NewPlan {
  userId: string;
  kind: KindName;
  channelId: string;
  threadId: string | null;
  content: string;
  replyTo: string | null;
  nonce: string | null;
  sendAt: Date;
}

export async function insertPlanned(transaction: Transaction, plan: NewPlan): Promise<PlannedRow> {
  const { userId, kind, channelId, threadId, content, replyTo, nonce, sendAt } = plan;
  const values = [userId, kind, channelId, threadId, content, replyTo, nonce, sendAt.toISOString()];
  const [row] = await transaction.query(insertStatement, values);
  if (row === undefined) throw new Error("An INSERT returned no row");
  return row;
}

/** @returns undefined when the account has no such message, or it is being sent */
export async function changePlanned(
  transaction: Transaction,
  place: { id: string; userId: string },
  { content, send_at }: { content: string | undefined; send_at: Date | undefined },
): Promise<PlannedRow | undefined> {
  const values = [place.id, place.userId, content ?? null, send_at?.toISOString() ?? null];
  const [row] = await transaction.query(changeStatement, values);
  return row;
}

/** @returns false when the account has no such message, or it is being sent */
export async function deletePlanned(transaction: Transaction, place: { id: string; userId: string }): Promise<boolean> {
  return (await transaction.execute(deleteStatement, [place.id, place.userId])) > 0;
}

/** Takes some messages that are due. */
export function claimPlanned(connection: Queryable, size: number): Promise<ClaimedMessage[]> {
  return connection.query(claimStatement, [size]);
}

/** @returns false when another process has ended it */
export async function endPlanned(transaction: Transaction, id: string): Promise<boolean> {
  return (await transaction.execute(endStatement, [id])) > 0;
}

/** @returns undefined when the message is gone */
export async function refusePlanned(
  transaction: Transaction,
  id: string,
  reason: Refusal,
): Promise<PlannedRow | undefined> {
  const [row] = await transaction.query(refuseStatement, [id, JSON.stringify(reason)]);
  return row;
}
