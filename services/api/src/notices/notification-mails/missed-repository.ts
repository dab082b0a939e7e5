import {
  defineStatement,
  isByBlocked,
  isDirectHeard,
  isDirectParticipant,
  isHeard,
  isInMentionedGroup,
  type RawRow,
} from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { z } from "zod";
import { missedMax } from "./limits.js";

/** An account that is not disabled and has verified its address. */
const addressStatement = defineStatement({
  name: "notification_mail_address",
  text: `SELECT u.email FROM users u
    WHERE u.id = $1 AND u.email IS NOT NULL AND u.email_verified_at IS NOT NULL AND u.disabled_at IS NULL`,
  row: (row: RawRow) => String(row.email),
});

const idsStatement = defineStatement({
  name: "missed_messages_ids",
  text: `SELECT message_id FROM missed_messages WHERE user_id = $1 ORDER BY message_id LIMIT ${missedMax}`,
  row: (row: RawRow) => String(row.message_id),
});

const Mention = z.object({
  id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  thread_id: z.string().nullable(),
  server: z.string(),
  channel: z.string(),
  author: z.string().nullable(),
  content: z.string(),
  /** When it was sent. */
  missed_at: z.date(),
});
/** A message of a server that mentions the account. */
export type Mention = z.infer<typeof Mention>;

/** SQL: whether the message `m` names the account of `x`, itself or by a group, or answers a message of it. */
const isByName = `(x.user_id = ANY (m.mention_user_ids) OR ${isInMentionedGroup("m", "x.user_id")}
    OR EXISTS (SELECT FROM messages answered WHERE answered.id = m.reply_to AND answered.author_id = x.user_id))`;

/** Mentions that still exist, are unread, and have not lost the mention by an edit. */
const mentionsStatement = defineStatement({
  name: "missed_mentions",
  text: `SELECT m.id, m.server_id, m.channel_id, m.thread_id, s.name AS server, c.name AS channel,
      author.username AS author, m.content, x.created_at AS missed_at
    FROM missed_messages x
    JOIN messages m ON m.id = x.message_id AND NOT m.deleted
    JOIN channels c ON c.id = m.channel_id
    JOIN servers s ON s.id = m.server_id
    JOIN members mine ON mine.server_id = m.server_id AND mine.user_id = x.user_id
    LEFT JOIN users author ON author.id = m.author_id
    LEFT JOIN read_states r ON r.user_id = x.user_id AND r.channel_id = m.channel_id
    WHERE x.user_id = $1 AND x.message_id = ANY ($2) AND NOT x.is_direct
      AND m.created_at > greatest(r.last_read_at, mine.joined_at) AND NOT ${isByBlocked("x.user_id", "m.author_id")}
      AND (m.mention_everyone OR ${isByName}) AND ${isHeard("m", "x.user_id")}
    ORDER BY m.id`,
  row: Mention,
});

const Direct = z.object({
  id: z.string(),
  channel_id: z.string(),
  /** The name of a group that has one. */
  name: z.string().nullable(),
  author: z.string().nullable(),
  content: z.string(),
  missed_at: z.date(),
});
/** A direct message to the account. */
export type Direct = z.infer<typeof Direct>;

const directStatement = defineStatement({
  name: "missed_direct_messages",
  text: `SELECT m.id, m.channel_id, c.name, author.username AS author, m.content, x.created_at AS missed_at
    FROM missed_messages x
    JOIN dm_messages m ON m.id = x.message_id
    JOIN dm_channels c ON c.id = m.channel_id
    LEFT JOIN users author ON author.id = m.author_id
    LEFT JOIN dm_read_states r ON r.user_id = x.user_id AND r.channel_id = m.channel_id
    LEFT JOIN dm_group_members mine ON mine.user_id = x.user_id AND mine.channel_id = m.channel_id
    WHERE x.user_id = $1 AND x.message_id = ANY ($2) AND x.is_direct
      AND m.created_at > coalesce(greatest(r.last_read_at, mine.joined_at), '-infinity') AND ${isDirectParticipant("c", "x.user_id")}
      AND NOT ${isByBlocked("x.user_id", "m.author_id")} AND ${isDirectHeard("m", "x.user_id")}
    ORDER BY m.id`,
  row: Direct,
});

const Reminded = z.object({
  id: z.string(),
  /** Empty for one of a message alone. */
  content: z.string(),
  missed_at: z.date(),
});
/** A reminder that an account has set. */
export type Reminded = z.infer<typeof Reminded>;

const remindersStatement = defineStatement({
  name: "missed_reminders",
  text: `SELECT i.id, coalesce(i.text, '') AS content, x.created_at AS missed_at
    FROM missed_messages x
    JOIN inbox_items i ON i.id = x.message_id AND i.user_id = x.user_id AND i.kind = 'reminder'
    LEFT JOIN inboxes b ON b.user_id = x.user_id
    WHERE x.user_id = $1 AND x.message_id = ANY ($2) AND (b.read_up_to IS NULL OR b.read_up_to < i.id)
    ORDER BY i.id`,
  row: Reminded,
});

const accessStatement = defineStatement({
  name: "notification_mail_access",
  text: `SELECT c.id, ${accessColumns("m.user_id")}
    FROM channels c JOIN servers s ON s.id = c.server_id JOIN members m ON m.server_id = c.server_id AND m.user_id = $1
    WHERE c.id = ANY ($2)`,
  row: accessRow.extend({ id: z.string() }),
});

/** The address of an account's mails about missed messages; null for none. */
export async function findAddress(connection: Queryable, userId: string): Promise<string | null> {
  const [address] = await connection.query(addressStatement, [userId]);
  return address ?? null;
}

/** Ids of the messages that the next mail to an account may mention, the oldest first. */
export function findMissedIds(connection: Queryable, userId: string): Promise<string[]> {
  return connection.query(idsStatement, [userId]);
}

/** Those of the messages that are there, unread, and not by somebody blocked, and heard; rights are for the caller to ask. */
export async function findMissed(connection: Queryable, userId: string, ids: readonly string[]) {
  const [mentions, directs, reminders] = await Promise.all([
    connection.query(mentionsStatement, [userId, ids]),
    connection.query(directStatement, [userId, ids]),
    connection.query(remindersStatement, [userId, ids]),
  ]);
  return { mentions, directs, reminders };
}

/** Those of the channels of servers that an account may view. */
export async function findViewable(
  connection: Queryable,
  userId: string,
  channelIds: Iterable<string>,
): Promise<Set<string>> {
  const rows = await connection.query(accessStatement, [userId, [...new Set(channelIds)]]);
  const viewable = rows.filter((row) => hasPermission(resolveAccess(row, userId), "VIEW_CHANNEL"));
  return new Set(viewable.map(({ id }) => id));
}
