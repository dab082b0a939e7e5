import { caps, type OutgoingEvent, ReactionCount, Reactor } from "@parley/contracts";
import { defineStatement, type RawRow, type Session } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Written } from "@parley/outbox";
import { z } from "zod";
import type { ListPosition } from "../../platform/http/list-position.js";
import type { ReactorQuery } from "./schema.js";

/** A table of reactions, of messages of channels or of direct messages. */
type Table = "reactions" | "dm_reactions";

/**
 * SQL for the reactions to the message $1 by emoji, for the viewer $2. Microseconds order the first reactions; the emoji
 * itself only decides a tie.
 */
export const countedReactions = (table: Table) => `SELECT emoji, count(*)::integer AS count, bool_or(user_id = $2) AS me
    FROM ${table} WHERE message_id = $1
    GROUP BY emoji ORDER BY min(created_at), emoji`;

const countStatement = defineStatement({
  name: "reaction_count",
  text: countedReactions("reactions"),
  row: ReactionCount,
});

const microseconds = "(extract(epoch FROM created_at) * 1000000)::bigint::text AS time";

/** Reads its page alone from the index. */
const reactorsStatement = defineStatement({
  name: "reactor_list",
  text: `SELECT u.id, u.username, u.avatar_url, page.time
      FROM (SELECT r.user_id, r.created_at, ${microseconds} FROM reactions r
        WHERE r.message_id = $1 AND r.emoji = $2
          AND (r.created_at, r.user_id) > ('epoch'::timestamptz + $4::bigint * interval '1 microsecond', $5::uuid)
        ORDER BY r.created_at, r.user_id LIMIT $3) AS page
      JOIN users u ON u.id = page.user_id
      ORDER BY page.created_at, page.user_id`,
  row: Reactor.extend({ time: z.coerce.number() }),
});

const reactorTimeStatement = defineStatement({
  name: "reactor_time",
  text: `SELECT ${microseconds} FROM reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3`,
  row: z.object({ time: z.coerce.number() }),
});

const eventId = (row: RawRow) => String(row.id);

/**
 * SQL for whether the message $1 may have an emoji more: its emoji one by one, whatever the number of reactions with
 * each; no more than the cap are read.
 */
export const isBelowCap = (table: Table) => `(
      WITH RECURSIVE kinds AS (
        (SELECT emoji FROM ${table} WHERE message_id = $1 ORDER BY emoji LIMIT 1)
        UNION ALL
        SELECT (
          SELECT r.emoji FROM ${table} r WHERE r.message_id = $1 AND r.emoji > kinds.emoji ORDER BY r.emoji LIMIT 1)
        FROM kinds WHERE kinds.emoji IS NOT NULL)
      SELECT count(*) FROM (SELECT FROM kinds WHERE emoji IS NOT NULL LIMIT ${caps.reactions.max}) AS counted
    ) < ${caps.reactions.max}`;

/** The user may have been removed since their right was checked. */
const isReactable = `id = $1 AND NOT deleted
        AND EXISTS (SELECT FROM members m WHERE m.server_id = messages.server_id AND m.user_id = $3::uuid)`;

/**
 * One statement each: no event without the row, none for a row that was there already. Writers of a channel take turns,
 * so the cap is exact.
 */
const addStatement = defineStatement({
  name: "reaction_add",
  text: `WITH added AS (
      INSERT INTO reactions (message_id, emoji, user_id)
      SELECT id, $2, $3::uuid FROM messages
      WHERE ${isReactable}
        AND (EXISTS (SELECT FROM reactions WHERE message_id = $1 AND emoji = $2) OR ${isBelowCap("reactions")})
      ON CONFLICT DO NOTHING
      RETURNING message_id)
    INSERT INTO outbox (subject, payload, headers, order_key) SELECT $4, $5, '{}', $6::uuid FROM added RETURNING id`,
  row: eventId,
});

/** Why a reaction was not added, when it is neither there nor has the message or the membership ended: the cap. */
const isFullStatement = defineStatement({
  name: "reaction_is_full",
  text: `SELECT NOT EXISTS (SELECT FROM reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3)
      AND EXISTS (SELECT FROM messages WHERE ${isReactable}) AS is_full`,
  row: z.object({ is_full: z.boolean() }),
});

const removeStatement = defineStatement({
  name: "reaction_remove",
  text: `WITH removed AS (
      DELETE FROM reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3
      RETURNING message_id)
    INSERT INTO outbox (subject, payload, headers, order_key) SELECT $4, $5, '{}', $6::uuid FROM removed RETURNING id`,
  row: eventId,
});

const deleteStatement = (name: string, where: string) =>
  defineStatement({
    name,
    text: `DELETE FROM reactions WHERE ${where} RETURNING message_id, emoji, user_id`,
    row: z
      .object({ message_id: z.string(), emoji: z.string(), user_id: z.string() })
      .transform(({ message_id, emoji, user_id }): ReactionKey => ({ messageId: message_id, emoji, userId: user_id })),
  });
const deleteOneStatement = deleteStatement("reaction_delete", "message_id = $1 AND emoji = $2 AND user_id = $3");
const deleteSomeStatement = deleteStatement(
  "reaction_delete_some",
  "ctid = ANY (ARRAY(SELECT ctid FROM reactions WHERE message_id = $1 LIMIT $2))",
);

/** A user's reaction to a message. */
export interface ReactionKey {
  messageId: string;
  emoji: string;
  userId: string;
}

/** Reactions of a message by emoji, in the order of each emoji's first reaction. */
export function countReactions(connection: Queryable, messageId: string, viewerId: string): Promise<ReactionCount[]> {
  return connection.query(countStatement, [messageId, viewerId]);
}

/** A page of those who reacted with an emoji, in the order of reacting, and where the next page begins. */
export interface ReactorPage {
  reactors: Reactor[];
  next: ListPosition | null;
}

/** Before everybody. */
const listStart: ListPosition = { time: 0, userId: "00000000-0000-0000-0000-000000000000" };

/** @returns null when the page is to begin after somebody who has not reacted so, or not any more */
export async function findReactors(
  connection: Queryable,
  { messageId, emoji }: { messageId: string; emoji: string },
  { after, position, limit }: ReactorQuery,
): Promise<ReactorPage | null> {
  let start = position ?? listStart;
  if (position === undefined && after !== undefined) {
    const [place] = await connection.query(reactorTimeStatement, [messageId, emoji, after]);
    if (place === undefined) return null;
    start = { time: place.time, userId: after };
  }
  // One more row than the page shows whether there is a next page.
  const rows = await connection.query(reactorsStatement, [messageId, emoji, limit + 1, start.time, start.userId]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    reactors: page.map(({ id, username, avatar_url }) => ({ id, username, avatar_url })),
    next: last === undefined ? null : { time: last.time, userId: last.id },
  };
}

/** @returns whether the message has as many emoji as it may, so that this one was refused */
export async function addReaction(session: Session, key: ReactionKey, event: OutgoingEvent): Promise<Written<boolean>> {
  const added = await change(session, { statement: addStatement, key, event });
  if (added.result) return { ...added, result: false };
  const [row] = await session.query(isFullStatement, [key.messageId, key.emoji, key.userId]);
  return { ...added, result: row?.is_full ?? false };
}

/** @returns false when there was no such reaction, and then nothing happens */
export function removeReaction(session: Session, key: ReactionKey, event: OutgoingEvent): Promise<Written<boolean>> {
  return change(session, { statement: removeStatement, key, event });
}

/** Removes a reaction without its event. @returns it, if there was one */
export function deleteReaction(
  transaction: Transaction,
  { messageId, emoji, userId }: ReactionKey,
): Promise<ReactionKey[]> {
  return transaction.query(deleteOneStatement, [messageId, emoji, userId]);
}

/** Removes at most so many reactions to a message, without their events. @returns them */
export function deleteSomeReactions(transaction: Transaction, messageId: string, max: number): Promise<ReactionKey[]> {
  return transaction.query(deleteSomeStatement, [messageId, max]);
}

async function change(
  session: Session,
  { statement, key, event }: { statement: typeof addStatement; key: ReactionKey; event: OutgoingEvent },
): Promise<Written<boolean>> {
  const { subject, body, headers, orderKey } = event;
  const ids = await session.query(statement, [key.messageId, key.emoji, key.userId, subject, body, orderKey]);
  return { result: ids.length > 0, rows: ids.map((id) => ({ id, subject, body, headers })) };
}
