import {
  columnsOf,
  type Database,
  defineStatement,
  isByBlocked,
  isDirectHeard,
  isDirectParticipant,
  isHeard,
  isInMentionedGroup,
  rowsOfArrays,
} from "@parley/database";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { z } from "zod";
import { lastReadAt } from "./candidate-rows.js";
import { pushTtlSeconds } from "./limits.js";

/** A message as one user hears it. Only messages that are still to be pushed have rows. */
const heardMessage = z.object({
  user_id: z.string(),
  message_id: z.string(),
  created_at: z.date(),
  content: z.string(),
  author: z.string().nullable(),
  /** Null for a direct message. */
  channel: z.string().nullable(),
  /** The server's, or a group's; null for a channel of two. */
  place: z.string().nullable(),
  /** Whether it names, answers or is for the user alone. */
  is_urgent: z.boolean(),
  /** Of a reminder: the language of its title, and the message that it is of. */
  reminder: z
    .object({
      language: z.enum(["en", "de", "ar"]),
      message_id: z.string().nullable(),
      server_id: z.string().nullable(),
      channel_id: z.string().nullable(),
    })
    .optional(),
  /** Of a notice of an event: the language of its title, when the event starts, and its message. */
  notice: z
    .object({
      language: z.enum(["en", "de", "ar"]),
      starts_at: z.coerce.date(),
      message_id: z.string(),
      server_id: z.string(),
      channel_id: z.string(),
    })
    .optional(),
  /** Of a registration that waits for an administrator: the language of its title. */
  registration: z.object({ language: z.enum(["en", "de", "ar"]) }).optional(),
});
export type HeardMessage = z.infer<typeof heardMessage>;

/** Columns of an account that may forbid all its pushes. */
const account = z.object({
  user_id: z.string(),
  is_reachable: z.boolean(),
  with_content: z.boolean(),
  quiet_from: z.string().nullable(),
  quiet_to: z.string().nullable(),
  timezone: z.string(),
});
export type PushAccount = z.infer<typeof account>;

/** Not by somebody blocked, neither read nor so old that no push service would keep it. */
const isDue = (message: string, user: string) => `NOT ${isByBlocked(user, `${message}.author_id`)}
  AND ${message}.created_at > now() - interval '${pushTtlSeconds} s'
  AND ${message}.created_at > coalesce(${lastReadAt(user, `${message}.channel_id`)}, '-infinity')`;

const given = `${rowsOfArrays("uuid", "uuid")} AS given (user_id, message_id)`;
const columns = `given.user_id, m.id AS message_id, m.created_at`;

export const messagesStatement = defineStatement({
  name: "push_messages",
  text: `SELECT ${columns}, coalesce(nullif(m.content, ''), m.embed_texts, '') AS content,
      coalesce(m.webhook ->> 'name', member.nickname, author.username) AS author, c.name AS channel, s.name AS place,
      (m.mention_everyone OR given.user_id = ANY (m.mention_user_ids) OR ${isInMentionedGroup("m", "given.user_id")} OR EXISTS (
        SELECT FROM messages answered WHERE answered.id = m.reply_to AND answered.author_id = given.user_id)) AS is_urgent
    FROM ${given}
    JOIN messages m ON m.id = given.message_id
    JOIN channels c ON c.id = m.channel_id
    JOIN servers s ON s.id = c.server_id
    LEFT JOIN users author ON author.id = m.author_id
    LEFT JOIN members member ON member.server_id = s.id AND member.user_id = m.author_id
    WHERE NOT m.deleted AND ${isDue("m", "given.user_id")} AND ${isHeard("m", "given.user_id")}`,
  row: heardMessage,
});

export const directStatement = defineStatement({
  name: "push_direct_messages",
  text: `SELECT ${columns}, m.content, author.username AS author,
      NULL::text AS channel, d.name AS place, true AS is_urgent
    FROM ${given}
    JOIN dm_messages m ON m.id = given.message_id
    JOIN dm_channels d ON d.id = m.channel_id
    LEFT JOIN users author ON author.id = m.author_id
    WHERE ${isDirectParticipant("d", "given.user_id")} AND ${isDue("m", "given.user_id")}
      AND ${isDirectHeard("m", "given.user_id")}`,
  row: heardMessage,
});

/** Items of inboxes; one that was acknowledged is not pushed. The text of a message that one is of is not read. */
const remindersStatement = defineStatement({
  name: "push_reminders",
  text: `SELECT given.user_id, given.message_id, uuid_extract_timestamp(i.id) AS created_at, coalesce(i.text, '') AS content,
      NULL::text AS author, NULL::text AS channel, NULL::text AS place, true AS is_urgent,
      json_build_object('language', coalesce(n.mail_language, 'en'), 'message_id', i.message_id, 'server_id', m.server_id,
        'channel_id', coalesce(m.channel_id, d.channel_id)) AS reminder
    FROM ${given}
    JOIN inbox_items i ON i.id = given.message_id AND i.user_id = given.user_id AND i.kind = 'reminder'
    LEFT JOIN inboxes b ON b.user_id = i.user_id
    LEFT JOIN messages m ON m.id = i.message_id
    LEFT JOIN dm_messages d ON d.id = i.message_id
    LEFT JOIN notification_settings n ON n.user_id = i.user_id
    WHERE (b.read_up_to IS NULL OR b.read_up_to < i.id)
      AND uuid_extract_timestamp(i.id) > now() - interval '${pushTtlSeconds} s'`,
  row: heardMessage,
});

/**
 * The notices of events that accounts are interested in. Of the two of an event only the last one is found, and none of an event that
 * was deleted or that is out of its account's view.
 */
const noticesStatement = defineStatement({
  name: "push_event_notices",
  text: `SELECT given.user_id, given.message_id, uuid_extract_timestamp(e.notice_id) AS created_at, e.name AS content,
      NULL::text AS author, c.name AS channel, s.name AS place, true AS is_urgent,
      json_build_object('language', coalesce(n.mail_language, 'en'), 'starts_at', e.starts_at, 'message_id', e.message_id,
        'server_id', c.server_id, 'channel_id', c.id) AS notice, ${accessColumns("given.user_id")}
    FROM ${given}
    JOIN scheduled_events e ON e.notice_id = given.message_id
    JOIN event_interests i ON i.event_id = e.id AND i.user_id = given.user_id
    JOIN channels c ON c.id = e.channel_id
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = s.id AND m.user_id = given.user_id
    LEFT JOIN notification_settings n ON n.user_id = given.user_id
    WHERE uuid_extract_timestamp(e.notice_id) > now() - interval '${pushTtlSeconds} s'`,
  row: accessRow.extend(heardMessage.shape),
});

/** Registrations for administrators, until one of them has decided. */
const registrationsStatement = defineStatement({
  name: "push_registrations",
  text: `SELECT given.user_id, given.message_id, r.created_at, u.username AS content,
      NULL::text AS author, NULL::text AS channel, NULL::text AS place, false AS is_urgent,
      json_build_object('language', coalesce(n.mail_language, 'en')) AS registration
    FROM ${given}
    JOIN registrations r ON r.user_id = given.message_id AND r.state = 'pending'
    JOIN users u ON u.id = r.user_id
    JOIN users a ON a.id = given.user_id AND (a.is_admin OR a.admin_by_setting)
    LEFT JOIN notification_settings n ON n.user_id = given.user_id
    WHERE r.created_at > now() - interval '${pushTtlSeconds} s'`,
  row: heardMessage,
});

const accountsStatement = defineStatement({
  name: "push_accounts",
  text: `SELECT u.id AS user_id,
      u.disabled_at IS NULL AND u.status <> 'dnd' AND coalesce(n.push_enabled, true) AS is_reachable,
      coalesce(n.push_content, true) AS with_content, n.quiet_from, n.quiet_to, coalesce(n.timezone, 'UTC') AS timezone
    FROM users u LEFT JOIN notification_settings n ON n.user_id = u.id
    WHERE u.id = ANY ((SELECT $1::uuid[])::uuid[])`,
  row: account,
});

export const accessStatement = defineStatement({
  name: "push_access",
  text: `SELECT m.user_id, c.id AS channel_id, ${accessColumns("m.user_id")}
    FROM ${rowsOfArrays("uuid", "uuid")} AS given (user_id, channel_id)
    JOIN channels c ON c.id = given.channel_id
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = given.user_id`,
  row: accessRow.extend({ user_id: z.string(), channel_id: z.string() }),
});

/** A message and a user who may get a push of it. */
export interface ChannelPush {
  userId: string;
  messageId: string;
}

/** A channel of a server and a user who may get a push of it. */
export interface Viewer {
  userId: string;
  channelId: string;
}

/**
 * The messages of servers that are still to be pushed (docs/protocol/notifications.md#26.2), whatever the account and the channel
 * forbid.
 */
export const readMessages = (database: Pick<Database, "query">, wanted: readonly ChannelPush[]) =>
  database.query(messagesStatement, columnsOf(wanted, "userId", "messageId"));

/** The same for direct messages. */
export const readDirectMessages = (database: Pick<Database, "query">, wanted: readonly ChannelPush[]) =>
  database.query(directStatement, columnsOf(wanted, "userId", "messageId"));

/** The reminders that are still to be pushed. */
export const readReminders = (database: Pick<Database, "query">, wanted: readonly ChannelPush[]) =>
  database.query(remindersStatement, columnsOf(wanted, "userId", "messageId"));

/** The registrations that still wait. */
export const readRegistrations = (database: Pick<Database, "query">, wanted: readonly ChannelPush[]) =>
  database.query(registrationsStatement, columnsOf(wanted, "userId", "messageId"));

/** The notices of events that are still to be pushed. */
export async function readNotices(
  database: Pick<Database, "query">,
  wanted: readonly ChannelPush[],
): Promise<HeardMessage[]> {
  const rows = await database.query(noticesStatement, columnsOf(wanted, "userId", "messageId"));
  return rows.filter((row) => hasPermission(resolveAccess(row, row.user_id), "VIEW_CHANNEL"));
}

export const readAccounts = (database: Pick<Database, "query">, userIds: readonly string[]) =>
  database.query(accountsStatement, [userIds]);

/** Which of the users may view their channel. */
export async function readViewers(database: Pick<Database, "query">, viewers: readonly Viewer[]): Promise<Viewer[]> {
  const rows = await database.query(accessStatement, columnsOf(viewers, "userId", "channelId"));
  return rows
    .filter((row) => hasPermission(resolveAccess(row, row.user_id), "VIEW_CHANNEL"))
    .map(({ user_id, channel_id }) => ({ userId: user_id, channelId: channel_id }));
}
