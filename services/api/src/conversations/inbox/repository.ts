import { InboxActor, type InboxKind, InboxReminder, inboxKinds } from "@parley/contracts";
import { defineStatement, lastIdOf, type RawRow, withDisplayName } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** Days for which items are kept, and items of an account (docs/protocol/inbox.md#33.1). */
const keptDays = 90;
const itemsMax = 10_000;

/** SQL of the last id that is expired, or acknowledged, too: subqueries, which are computed once and not for each item. */
const expired = `(SELECT uuidv7('-${keptDays} days'))`;
const readAll = `(SELECT greatest(uuidv7('-${keptDays} days'), (SELECT read_up_to FROM inboxes WHERE user_id = $1)))`;

/** SQL of the time up to which the account $1 has read the place of an item, which has no mark before the account joined. */
const readUpTo = (item: string) => `greatest(
      (SELECT r.last_read_at FROM read_states r WHERE r.user_id = $1 AND r.channel_id = ${item}.place_id),
      (SELECT r.last_read_at FROM dm_read_states r WHERE r.user_id = $1 AND r.channel_id = ${item}.place_id),
      (SELECT coalesce(t.read_at, t.set_at) FROM notification_targets t
        WHERE t.user_id = $1 AND t.kind = 'thread' AND t.target_id = ${item}.place_id),
      (SELECT m.joined_at FROM members m WHERE m.user_id = $1 AND m.server_id = ${item}.server_id))`;

/** Hidden while the block lasts. */
const isByBlocked = "(by_id IN (SELECT blocked_id FROM user_blocks WHERE blocker_id = $1)) IS TRUE";

/**
 * Counts the unread items by the place whose mark decides. Each place is looked up in an index, so that the plan does not depend on
 * how many items the planner expects. Exported for the test of its plan.
 */
export const countStatement = defineStatement({
  name: "inbox_count",
  text: `SELECT place.channel_id, unread.mention, unread.reply, unread.thread
    FROM (
      SELECT DISTINCT ON (place_id) place_id, channel_id, server_id FROM inbox_items
      WHERE user_id = $1 AND place_id IS NOT NULL
        AND id > ${readAll}
      ORDER BY place_id, id DESC) place
    CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE kind = 'mention'))::integer AS mention,
        (count(*) FILTER (WHERE kind = 'reply'))::integer AS reply,
        (count(*) FILTER (WHERE kind = 'thread'))::integer AS thread
      FROM inbox_items
      WHERE user_id = $1 AND place_id = place.place_id AND NOT ${isByBlocked}
        AND id > greatest(${readAll},
          ${lastIdOf(readUpTo("place"))})) unread
    WHERE unread.mention + unread.reply + unread.thread > 0`,
  row: z.object({ channel_id: z.string(), mention: z.int(), reply: z.int(), thread: z.int() }),
});

const itemRow = z.object({
  id: z.string(),
  kind: z.enum(inboxKinds),
  server_id: z.string().nullable(),
  channel_id: z.string().nullable(),
  message_id: z.string().nullable(),
  by: InboxActor.nullable(),
  reminder: InboxReminder.nullable(),
  created_at: z.date(),
  read: z.boolean(),
});
export type ItemRow = z.infer<typeof itemRow>;

/** $4: channels that the account may not see. Exported for the test of its plan. */
export const pageStatement = defineStatement({
  name: "inbox_page",
  text: `SELECT i.id, i.kind, i.server_id, i.channel_id, i.message_id,
      (SELECT (${withDisplayName(
        "json_build_object('id', u.id, 'username', u.username, 'avatar_url', u.avatar_url)",
        "u.id",
      )})::json
        FROM users u WHERE u.id = i.by_id) AS by,
      CASE WHEN i.reminder_id IS NOT NULL THEN json_build_object('id', i.reminder_id, 'text', i.text) END AS reminder,
      uuid_extract_timestamp(i.id) AS created_at,
      coalesce(i.id <= (SELECT read_up_to FROM inboxes WHERE user_id = $1), false)
        OR i.place_id IS NOT NULL AND coalesce(uuid_extract_timestamp(i.id) <= ${readUpTo("i")}, false) AS read
    FROM (
      SELECT * FROM inbox_items
      WHERE user_id = $1 AND id > ${expired} AND id < $2 AND kind = ANY ($3)
        AND (channel_id = ANY ($4::uuid[])) IS NOT TRUE AND NOT ${isByBlocked}
      ORDER BY id DESC LIMIT $5) i
    ORDER BY i.id DESC`,
  row: itemRow,
});

/** Marks the newest item up to $2 as read, with all before it; the mark never goes back. */
const markStatement = defineStatement({
  name: "inbox_mark",
  text: `INSERT INTO inboxes AS i (user_id, read_up_to)
    SELECT $1, id FROM inbox_items WHERE user_id = $1 AND id <= $2 ORDER BY id DESC LIMIT 1
    ON CONFLICT (user_id) DO UPDATE SET read_up_to = excluded.read_up_to
      WHERE i.read_up_to IS NULL OR i.read_up_to < excluded.read_up_to
    RETURNING user_id`,
  row: (row: RawRow) => String(row.user_id),
});

const announcedStatement = defineStatement({
  name: "inbox_announced",
  text: `INSERT INTO inboxes (user_id, unread) SELECT id, $2 FROM users WHERE id = $1
    ON CONFLICT (user_id) DO UPDATE SET unread = excluded.unread`,
});

/** Has a row while inboxes have changed. */
export const changedInboxes = "SELECT FROM inbox_changes";

const changedStatement = defineStatement({
  name: "inbox_changed",
  text: `SELECT DISTINCT user_id FROM (
      SELECT user_id FROM inbox_changes WHERE user_id <> ALL ($2::uuid[]) ORDER BY id LIMIT $1) AS oldest`,
  row: (row: RawRow) => String(row.user_id),
});

const takeStatement = defineStatement({
  name: "inbox_changes_take",
  text: "DELETE FROM inbox_changes WHERE user_id = $1 RETURNING root_id, since",
  row: z.object({ root_id: z.string().nullable(), since: z.date().nullable() }),
});

/** Deletes the items beyond the newest {@link itemsMax}. */
const trimStatement = defineStatement({
  name: "inbox_trim",
  text: `DELETE FROM inbox_items WHERE user_id = $1 AND id <= (
      SELECT id FROM inbox_items WHERE user_id = $1 ORDER BY id DESC OFFSET ${itemsMax} LIMIT 1)`,
});

const addInvitesStatement = defineStatement({
  name: "inbox_add_invites",
  text: `WITH added AS (
      INSERT INTO inbox_items (id, user_id, kind, channel_id, by_id)
      SELECT uuidv7(), invited.user_id, 'invite', $2, $3 FROM unnest($1::uuid[]) AS invited (user_id)
      WHERE NOT EXISTS (SELECT FROM bots b WHERE b.user_id = invited.user_id)
      RETURNING user_id)
    INSERT INTO inbox_changes (user_id) SELECT user_id FROM added`,
});

/** The unread items of an account, not of those whom it blocked, by channels and threads; a channel may have several rows. */
export function countUnread(connection: Queryable, userId: string) {
  return connection.query(countStatement, [userId]);
}

/** A page of items of an account, newest first, not of those whom it blocked, and not in the given channels. */
export function findItems(
  connection: Queryable,
  userId: string,
  page: { before: string; kinds: readonly InboxKind[]; hidden: Iterable<string>; limit: number },
): Promise<ItemRow[]> {
  const { before, kinds, hidden, limit } = page;
  return connection.query(pageStatement, [userId, before, kinds, [...hidden], limit]);
}

/** @returns whether the mark moved */
export async function markInbox(transaction: Transaction, userId: string, upTo: string): Promise<boolean> {
  return (await transaction.query(markStatement, [userId, upTo])).length > 0;
}

/** Notes how many unread items were announced. The account may be gone. */
export async function noteAnnounced(transaction: Transaction, userId: string, unread: number): Promise<void> {
  await transaction.execute(announcedStatement, [userId, unread]);
}

/** Some accounts whose inbox has changed, those that wait longest first. @param but accounts that are left out */
export function findChangedInboxes(connection: Queryable, size: number, but: readonly string[]): Promise<string[]> {
  return connection.query(changedStatement, [size, but]);
}

/** Takes the changes of an account, with threads that it is to follow; none when another process took them. */
export function takeChanges(transaction: Transaction, userId: string) {
  return transaction.query(takeStatement, [userId]);
}

export async function trimInbox(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(trimStatement, [userId]);
}

/** Adds an item for each of those whom somebody added to a group. */
export async function addInvites(
  transaction: Transaction,
  { userIds, channelId, byId }: { userIds: readonly string[]; channelId: string; byId: string },
): Promise<void> {
  await transaction.execute(addInvitesStatement, [userIds, channelId, byId]);
}

export const expiredInboxItems = defineExpiry({
  name: "expired inbox items",
  table: "inbox_items",
  key: "id, user_id",
  where: "id < uuidv7(make_interval(days => -($2::integer)))",
  order: "id",
  values: [keptDays],
});
