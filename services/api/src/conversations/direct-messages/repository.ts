import { MessageAuthor, type OutboxRow, type OutgoingEvent, type SentDmMessage } from "@parley/contracts";
import { defineStatement, isDirectParticipant, jsonTime, type Session } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { guessLanguage } from "@parley/message-text";
import { z } from "zod";
import { claimNonces } from "../../platform/nonces/repository.js";
import type { StoredForward } from "../core/forwarded-repository.js";
import { type NamedMessage, storeAttachments } from "../messages/attachment-repository.js";
import { authorObject } from "../messages/author-repository.js";
import { filledBody } from "../messages/event-placeholders.js";
import { newChannelsPerDayMax } from "./limits.js";
import { audienceColumns, audienceRow, toAudience } from "./participants-repository.js";
import { type DmChannelRow, dmChannelRow } from "./resource.js";
import type { ChannelsQuery } from "./schema.js";

/** Not smaller than any id. */
const uuidMax = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The second of two concurrent inserts waits for the first to commit and then inserts nothing. */
const createStatement = defineStatement({
  name: "dm_channel_create",
  text: `INSERT INTO dm_channels (user_low, user_high, opened_by)
    VALUES (least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3)
    ON CONFLICT (user_low, user_high) DO NOTHING
    RETURNING id, created_at, last_message_at`,
  row: dmChannelRow,
});

/** How long until one more channel of an account would be within the day's number; no row when it is now. */
const waitStatement = defineStatement({
  name: "dm_channel_wait",
  text: `SELECT ceil(extract(epoch FROM created_at + interval '24 hours' - now()))::integer AS seconds FROM dm_channels
    WHERE opened_by = $1 AND created_at > now() - interval '24 hours'
    ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
  row: z.object({ seconds: z.int() }),
});

const findStatement = defineStatement({
  name: "dm_channel_find",
  text: `SELECT id, created_at, last_message_at FROM dm_channels
    WHERE user_low = least($1::uuid, $2::uuid) AND user_high = greatest($1::uuid, $2::uuid)`,
  row: dmChannelRow,
});

/** The time in the id of a channel that is gone, or that the user has left, still marks its place; other ids have none. */
const placeStatement = defineStatement({
  name: "dm_channel_place",
  text: `SELECT coalesce(
      (SELECT d.created_at FROM dm_channels d WHERE d.id = $1 AND ${isDirectParticipant("d", "$2")}),
      uuid_extract_timestamp($1)) AS created_at`,
  row: z.object({ created_at: z.date().nullable() }),
});

/** Both halves of the pairs have an index in this order, and no more rows are read than a page has. */
const listOrder = "last_message_at DESC, created_at DESC, id DESC";
const halves = [
  "SELECT id, created_at, last_message_at, user_high AS recipient_id FROM dm_channels WHERE user_low = $1",
  "SELECT id, created_at, last_message_at, user_low AS recipient_id FROM dm_channels WHERE user_high = $1",
];
/** An account has few groups ({@link caps}), so all are read. */
const ownGroups = `SELECT id, created_at, last_message_at, NULL::uuid AS recipient_id
  FROM dm_channels JOIN dm_group_members ON channel_id = id WHERE user_id = $1`;
const ofEach = (sources: readonly string[], where: string, limit: string) =>
  sources.map((source) => `(${source} AND ${where} ${limit})`).join(" UNION ALL ");
const withTies = "ORDER BY last_message_at DESC FETCH FIRST ($5::integer) ROWS WITH TIES";

/** Used ones before an instant, then, where the page has room, never-used ones below a place among those. */
const listStatement = (name: string, sources: readonly string[]) =>
  defineStatement({
    name,
    text: `WITH used AS MATERIALIZED (
      SELECT * FROM (${ofEach(sources, "last_message_at < $2::timestamptz", withTies)}) AS own ${withTies}),
    unused AS MATERIALIZED (
      SELECT * FROM (${ofEach(
        sources,
        "last_message_at IS NULL AND (created_at, id) < ($3::timestamptz, $4::uuid)",
        `ORDER BY ${listOrder} LIMIT $5`,
      )}) AS own
      ORDER BY created_at DESC, id DESC LIMIT greatest($5 - (SELECT count(*) FROM used), 0))
    SELECT * FROM (SELECT * FROM used UNION ALL SELECT * FROM unused) AS page
    ORDER BY last_message_at DESC NULLS LAST, created_at DESC, id DESC`,
    row: dmChannelRow.extend({ recipient_id: z.string().nullable() }),
  });
const pairsStatement = listStatement("dm_channel_list", halves);
const allStatement = listStatement("dm_channel_list_with_groups", [...halves, ownGroups]);

/** The audience of a channel, and the second parameter as an author, who must be a participant. */
const sendContextStatement = defineStatement({
  name: "dm_send_context",
  text: `SELECT ${audienceColumns}, ${authorObject("NULL::text")} AS author
    FROM dm_channels d JOIN users u ON u.id = $2 WHERE d.id = $1 AND ${isDirectParticipant("d", "$2")}`,
  row: audienceRow
    .extend({ author: MessageAuthor })
    .transform(({ author, ...row }) => ({ audience: toAudience(row), author })),
});

/**
 * Stores a message, one event per participant, and the channel's time of its last message, which two messages at once
 * must not turn back.
 *
 * @param options.id expression of the message's id
 * @param options.before expressions that run before the message is stored
 * @param options.which condition of storing it
 * @param options.forwarded expression of the message that it forwards
 * @param options.more stores rows that belong to the message
 */
const insertStatement = (
  name: string,
  { id = "uuidv7()", before = "", which = "", forwarded = "NULL::jsonb", more = "" } = {},
) =>
  defineStatement({
    name,
    text: `WITH draft AS MATERIALIZED (SELECT ${id} AS id),${before}
    timed AS MATERIALIZED (
      SELECT id, uuid_extract_timestamp(id) AS created_at, 1::bigint AS position,
        ${jsonTime("uuid_extract_timestamp(id)")} AS time
      FROM draft ${which}),
    stored AS (
      INSERT INTO dm_messages (id, channel_id, author_id, content, reply_to, forwarded, language)
      SELECT id, $1, $2, $3, $6::uuid, ${forwarded}, $8 FROM timed),
    touched AS (
      UPDATE dm_channels SET last_message_at = greatest(last_message_at, timed.created_at)
      FROM timed WHERE dm_channels.id = $1),
    event AS (
      INSERT INTO outbox (subject, payload, headers, order_key)
      SELECT subject, ${filledBody({ body: "body", id: "timed.id", time: "timed.time" })}, headers::jsonb, $1
      FROM timed, unnest($4::text[], $5::text[], $7::text[]) AS event (subject, body, headers)
      RETURNING id, subject, payload, headers)${more}
    SELECT timed.id, timed.time, event.id AS event_id, event.subject, event.payload, event.headers FROM timed, event`,
    row: z.object({
      id: z.string(),
      time: z.string(),
      event_id: z.string(),
      subject: z.string(),
      payload: z.string(),
      headers: z.record(z.string(), z.string()),
    }),
  });

const messageStatement = insertStatement("dm_message_insert");

/** For a message with a nonce, $9. */
const claiming = {
  before: `
    claimed AS (
      ${claimNonces("SELECT $2::uuid, $1::uuid, $9, id FROM draft WHERE $9::text IS NOT NULL")}),`,
  which: "WHERE $9::text IS NULL OR id IN (SELECT message_id FROM claimed)",
};
const messageWithNonceStatement = insertStatement("dm_message_insert_with_nonce", claiming);

/** For a message with files, $11, which therefore has an id, $10, and may have a nonce. */
const withFiles = { ...claiming, id: "$10::uuid", more: storeAttachments("$11", "dm_") };
const messageWithFilesStatement = insertStatement("dm_message_insert_with_files", withFiles);

/** The same for one that forwards another one, $12. */
const forwardStatement = insertStatement("dm_message_insert_forward", { ...withFiles, forwarded: "$12::jsonb" });

/** @returns the new channel of two users; null when they have one */
export async function createDmChannel(
  transaction: Transaction,
  { userId, otherId, openedBy }: { userId: string; otherId: string; openedBy: string },
): Promise<DmChannelRow | null> {
  const [row] = await transaction.query(createStatement, [userId, otherId, openedBy]);
  return row ?? null;
}

/**
 * For a transaction that has stored a new channel of an account and holds the account's lock.
 *
 * @returns seconds until the account may open it; null when it may now
 */
export async function waitForNewChannel(transaction: Transaction, accountId: string): Promise<number | null> {
  const [row] = await transaction.query(waitStatement, [accountId, newChannelsPerDayMax]);
  return row === undefined ? null : Math.max(row.seconds, 1);
}

/** Channels of a user with the other participant's id, null for groups, in the order of the list. */
export async function findDmChannels(
  connection: Queryable,
  userId: string,
  { before, limit, groups }: ChannelsQuery,
): Promise<(DmChannelRow & { recipient_id: string | null })[]> {
  const statement = groups ? allStatement : pairsStatement;
  if (before?.id !== undefined) {
    const [place] = await connection.query(placeStatement, [before.id, userId]);
    if (place?.created_at == null) return [];
    return connection.query(statement, [userId, "-infinity", place.created_at, before.id, limit]);
  }
  return connection.query(statement, [userId, before?.time ?? "infinity", "infinity", uuidMax, limit]);
}

/** The channel of two users. */
export async function findDmChannel(
  connection: Queryable,
  userId: string,
  otherId: string,
): Promise<DmChannelRow | null> {
  const [row] = await connection.query(findStatement, [userId, otherId]);
  return row ?? null;
}

/** The participants and the sender as an author; null like {@link findParticipants}. */
export async function findDmSendContext(connection: Pick<Session, "query">, channelId: string, senderId: string) {
  const [context] = await connection.query(sendContextStatement, [channelId, senderId]);
  return context ?? null;
}

/**
 * Stores a message and its events. In the events placeholders stand for the id and the time.
 *
 * @param new.named the id and the files of a message that has files or forwards another one
 * @returns null when another message has the nonce
 */
export async function insertDmMessage(
  session: Session,
  {
    message,
    named,
    forwarded,
  }: { message: SentDmMessage; named: NamedMessage | null; forwarded: StoredForward | undefined },
  events: readonly OutgoingEvent[],
): Promise<{ id: string; time: string; rows: OutboxRow[] } | null> {
  const values = [
    message.channel_id,
    message.author_id,
    message.content,
    events.map(({ subject }) => subject),
    events.map(({ body }) => body),
    message.reply_to ?? null,
    events.map(({ headers }) => JSON.stringify(headers)),
    guessLanguage(message.content),
  ];
  const { nonce = null } = message;
  const whole = named === null ? [] : [...values, nonce, named.id, filesOf(named)];
  const rows =
    named !== null
      ? forwarded === undefined
        ? await session.query(messageWithFilesStatement, whole)
        : await session.query(forwardStatement, [...whole, JSON.stringify(forwarded)])
      : nonce !== null
        ? await session.query(messageWithNonceStatement, [...values, nonce])
        : await session.query(messageStatement, values);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    id: first.id,
    time: first.time,
    rows: rows.map(({ event_id, subject, payload, headers }) => ({ id: event_id, subject, body: payload, headers })),
  };
}

/** The parameter of {@link storeAttachments}, for the only message of a statement. */
const filesOf = ({ rows }: NamedMessage) => JSON.stringify(rows.map((row) => ({ ...row, position: 1 })));
