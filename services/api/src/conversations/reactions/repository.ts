import { caps, type OutgoingEvent, ReactionCount, Reactor } from "@parley/contracts";
import { columnsOf, defineStatement, type Session, type Statement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Written } from "@parley/outbox";
import { z } from "zod";
import type { ListPosition } from "../../platform/http/list-position.js";
import { forBoth, type KindName, type TablePrefix } from "../core/kind.js";
import type { ReactorQuery } from "./schema.js";

/**
 * Reactions to the message $1 by emoji, for the viewer $2. Microseconds order the first reactions; the emoji itself only
 * decides a tie.
 */
const countStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}reaction_count`,
    text: `SELECT emoji, count(*)::integer AS count, bool_or(user_id = $2) AS me
      FROM ${prefix}reactions WHERE message_id = $1
      GROUP BY emoji ORDER BY min(created_at), emoji`,
    row: ReactionCount,
  }),
);

const microseconds = "(extract(epoch FROM created_at) * 1000000)::bigint::text AS time";

/** Reads its page alone from the index. */
const reactorsStatement = defineStatement({
  name: "reactor_list",
  text: `SELECT u.id, u.username, u.display_name, u.avatar_url, page.time
      FROM (SELECT r.user_id, r.created_at, ${microseconds} FROM reactions r
        WHERE r.message_id = $1 AND r.emoji = $2
          AND (r.created_at, r.user_id) > ('epoch'::timestamptz + $4::bigint * interval '1 microsecond', $5::uuid)
        ORDER BY r.created_at, r.user_id LIMIT $3) AS page
      JOIN users u ON u.id = page.user_id
      ORDER BY page.created_at, page.user_id`,
  row: Reactor.extend({ display_name: z.string().nullable(), time: z.coerce.number() }),
});

const reactorTimeStatement = defineStatement({
  name: "reactor_time",
  text: `SELECT ${microseconds} FROM reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3`,
  row: z.object({ time: z.coerce.number() }),
});

/**
 * SQL for whether the message $1 has fewer different emoji than the cap. It reads one index entry per emoji, at most the
 * cap.
 */
const isBelowCap = (prefix: TablePrefix) => `(
      WITH RECURSIVE kinds AS (
        (SELECT emoji FROM ${prefix}reactions WHERE message_id = $1 ORDER BY emoji LIMIT 1)
        UNION ALL
        SELECT (
          SELECT r.emoji FROM ${prefix}reactions r WHERE r.message_id = $1 AND r.emoji > kinds.emoji
          ORDER BY r.emoji LIMIT 1)
        FROM kinds WHERE kinds.emoji IS NOT NULL)
      SELECT count(*) FROM (SELECT FROM kinds WHERE emoji IS NOT NULL LIMIT ${caps.reactions.max}) AS counted
    ) < ${caps.reactions.max}`;

/** The user may have been removed from a server since their right was checked. */
const isReactable = forBoth((prefix) =>
  prefix === "dm_"
    ? "id = $1"
    : `id = $1 AND NOT deleted
        AND EXISTS (SELECT FROM members m WHERE m.server_id = messages.server_id AND m.user_id = $3::uuid)`,
);

const eventRow = z.object({ id: z.string(), subject: z.string() });

/** SQL that stores the events in $4 to $6, ordered with $7, if there is a row of `source`. */
const eventsOf = (source: string) => `INSERT INTO outbox (subject, payload, headers, order_key)
    SELECT event.subject, event.body, event.headers::jsonb, $7::uuid
    FROM ${source}, unnest($4::text[], $5::text[], $6::text[]) AS event (subject, body, headers)
    RETURNING id, subject`;

/**
 * One statement each: no event without the row, none for a row that was there already. Writers of a channel take turns,
 * so the cap is exact.
 */
const addStatements = forBoth((prefix, kind) =>
  defineStatement({
    name: `${prefix}reaction_add`,
    text: `WITH added AS (
      INSERT INTO ${prefix}reactions (message_id, emoji, user_id)
      SELECT id, $2, $3::uuid FROM ${prefix}messages
      WHERE ${isReactable[kind]}
        AND (EXISTS (SELECT FROM ${prefix}reactions WHERE message_id = $1 AND emoji = $2) OR ${isBelowCap(prefix)})
      ON CONFLICT DO NOTHING
      RETURNING message_id)
    ${eventsOf("added")}`,
    row: eventRow,
  }),
);

/** Why a reaction was not added, when it is neither there nor has the message or the membership ended: the cap. */
const isFullStatements = forBoth((prefix, kind) =>
  defineStatement({
    name: `${prefix}reaction_is_full`,
    text: `SELECT NOT EXISTS (
        SELECT FROM ${prefix}reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3::uuid)
      AND EXISTS (SELECT FROM ${prefix}messages WHERE ${isReactable[kind]}) AS is_full`,
    row: z.object({ is_full: z.boolean() }),
  }),
);

const removeStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}reaction_remove`,
    text: `WITH removed AS (
      DELETE FROM ${prefix}reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3
      RETURNING message_id)
    ${eventsOf("removed")}`,
    row: eventRow,
  }),
);

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
  "ctid = ANY (ARRAY(SELECT ctid FROM reactions WHERE message_id = $1 AND ($3::text IS NULL OR emoji = $3) LIMIT $2))",
);

/** A user's reaction to a message. */
export interface ReactionKey {
  messageId: string;
  emoji: string;
  userId: string;
}

/** Reactions of a message by emoji, in the order of each emoji's first reaction. */
export function countReactions(
  connection: Queryable,
  kind: KindName,
  { messageId, viewerId }: { messageId: string; viewerId: string },
): Promise<ReactionCount[]> {
  return connection.query(countStatements[kind], [messageId, viewerId]);
}

/** A page of those who reacted with an emoji, in the order of reacting, and where the next page begins. */
export interface ReactorPage {
  reactors: Reactor[];
  next: ListPosition | null;
}

/** Before everybody. */
const listStart: ListPosition = { time: 0, userId: "00000000-0000-0000-0000-000000000000" };

/** @returns null when the page's start is a user without this reaction */
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
    reactors: page.map(({ time: _, display_name, ...reactor }) => ({
      ...reactor,
      ...(display_name !== null && { display_name }),
    })),
    next: last === undefined ? null : { time: last.time, userId: last.id },
  };
}

/** A reaction that is added or removed, and the events about it. */
interface ReactionChange extends ReactionKey {
  events: readonly OutgoingEvent[];
}

/** @returns whether the message has as many emoji as it may, so that this one was refused */
export async function addReaction(
  session: Session,
  kind: KindName,
  reaction: ReactionChange,
): Promise<Written<boolean>> {
  const added = await change(session, addStatements[kind], reaction);
  if (added.result) return { ...added, result: false };
  const { messageId, emoji, userId } = reaction;
  const [row] = await session.query(isFullStatements[kind], [messageId, emoji, userId]);
  return { ...added, result: row?.is_full ?? false };
}

/** @returns false when there was no such reaction, and then nothing happens */
export function removeReaction(session: Session, kind: KindName, reaction: ReactionChange): Promise<Written<boolean>> {
  return change(session, removeStatements[kind], reaction);
}

/** Removes a reaction without its event. @returns it, if there was one */
export function deleteReaction(
  transaction: Transaction,
  { messageId, emoji, userId }: ReactionKey,
): Promise<ReactionKey[]> {
  return transaction.query(deleteOneStatement, [messageId, emoji, userId]);
}

/** Removes at most so many reactions to a message, or of its with an emoji, without their events. @returns them */
export function deleteSomeReactions(
  transaction: Transaction,
  messageId: string,
  { emoji = null, max }: { emoji?: string | null | undefined; max: number },
): Promise<ReactionKey[]> {
  return transaction.query(deleteSomeStatement, [messageId, max, emoji]);
}

async function change(
  session: Session,
  statement: Statement<z.infer<typeof eventRow>>,
  { messageId, emoji, userId, events }: ReactionChange,
): Promise<Written<boolean>> {
  const rows = await session.query(statement, [
    messageId,
    emoji,
    userId,
    ...columnsOf(events, "subject", "body"),
    events.map(({ headers }) => JSON.stringify(headers)),
    events[0]?.orderKey ?? null,
  ]);
  const idOf = new Map(rows.map(({ id, subject }) => [subject, id]));
  return {
    result: rows.length > 0,
    rows: events.flatMap(({ subject, body, headers }) => {
      const id = idOf.get(subject);
      return id === undefined ? [] : [{ id, subject, body, headers }];
    }),
  };
}
