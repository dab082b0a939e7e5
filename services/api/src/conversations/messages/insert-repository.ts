import {
  type Attachment,
  errorTexts,
  type MessageInteraction,
  type NewMessage,
  notFound,
  type OutgoingEvent,
} from "@parley/contracts";
import {
  defineStatement,
  isForeignKeyViolation,
  jsonTime,
  mentionsGroup,
  rowsOfArrays,
  type Session,
  storeGroupMentions,
} from "@parley/database";
import { answerInteractions } from "@parley/interactions";
import { guessLanguage } from "@parley/message-text";
import { z } from "zod";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { claimNonces } from "../../platform/nonces/repository.js";
import { mayHaveLinks, notePreviewTasks } from "../message-previews/repository.js";
import { type NamedMessage, storeAttachments } from "./attachment-repository.js";
import { authorVersion } from "./author-repository.js";
import type { MessageDraft } from "./draft.js";
import type { storedParts } from "./embeds.js";
import { filledBody, filledHeaders } from "./event-placeholders.js";

/**
 * The parts that few messages have: of an app's message embeds and components, the webhook that sends it, and the interaction that
 * it answers, with the state that this must have; the groups that a message mentions; and the message that it forwards.
 */
export type RareParts = ReturnType<typeof storedParts> &
  Pick<MessageDraft, "webhook" | "forwarded"> & {
    interaction?: MessageInteraction | undefined;
    expected?: string | undefined;
    mention_role_ids: readonly string[];
    mention_here: boolean;
  };

/** The event of a message that is not stored yet. Both have placeholders for the message's id and time. */
export interface Event extends OutgoingEvent<NewMessage> {
  /** Version of the author at the time of the check. */
  authorVersion: string;
  /** Files that are sent with the message. */
  files: readonly ReceivedFile[];
  /** Null for an ordinary message. */
  rare: RareParts | null;
  /** The same event with the attachments that the files become. */
  withAttachments: (attachments: Attachment[]) => OutgoingEvent<NewMessage>;
}

/** An event, and the rows that are stored with its message. */
export interface NamedEvent extends Event {
  /** Id of the message and rows of its attachments; null when no message of the statement has files. */
  named: NamedMessage | null;
}

/** Result of the storing statement for one message. `position` is the message's place in the statement, from 1. */
const stored = z.object({
  position: z.int(),
  id: z.string(),
  event_id: z.string(),
  time: z.string(),
  payload: z.string(),
});

/** Null if another message has the nonce or the author's version has changed; rejected if the statement failed. */
export type Outcome = PromiseSettledResult<(z.infer<typeof stored> & { message: NewMessage }) | null>;

/** The rare parts in $19, each with the position of its message. */
const rareRows = `LEFT JOIN jsonb_to_recordset($19::jsonb) AS rare (position bigint, embeds jsonb, components jsonb,
        embed_texts text, webhook jsonb, interaction jsonb, forwarded jsonb, mention_role_ids uuid[], mention_here boolean) USING (position)`;
const rareColumns = ["embeds", "components", "embed_texts", "webhook", "interaction", "forwarded"];

/** SQL of the language of a message that is too short to tell by itself: the one that its server says. */
const serverLanguage = "(SELECT lower(left(s.language, 2)) FROM servers s WHERE s.id = timed.server_id)";

/**
 * Stores messages and their events in one statement, without messages whose author's version has changed since the
 * check. It generates ids and times, and inserts them into the events. Thread replies lock their root message; the
 * order by thread keeps two statements from locking in opposite orders.
 *
 * @param options.id expression of the id of the draft at `position`
 * @param options.before CTEs before `timed`, each with a comma
 * @param options.which WHERE clause that selects the drafts to store
 * @param options.rare whether some of the messages have rare parts
 * @param options.more CTEs that store further rows of the messages in `timed`
 */
const insertStatement = (name: string, { id = "uuidv7()", before = "", which = "", rare = false, more = "" } = {}) =>
  defineStatement({
    name,
    text: `WITH draft AS MATERIALIZED (
      SELECT position, ${id} AS id, uuidv7() AS event_id, channel_id, server_id, author_id, content, reply_to,
        thread_id, mention_user_ids, mention_everyone, subject, body, headers, language
      FROM ${rowsOfArrays("uuid", "uuid", "uuid", "text", "uuid", "uuid", "text", "boolean", "text", "text", "text", "text", "text")} WITH ORDINALITY
        AS input (channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids, mention_everyone,
          subject, body, headers, author_version, language, position)
      WHERE author_version = ${authorVersion({ serverId: "input.server_id", userId: "input.author_id" })}),${before}
    timed AS MATERIALIZED (
      SELECT draft.*, time, ${filledBody({ body: "body", id: "id", time: "time" })} AS payload
      FROM draft, LATERAL (
        SELECT ${jsonTime("uuid_extract_timestamp(id)")} AS time) AS clock
      ${which}),
    stored AS (
      INSERT INTO messages (id, channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids,
        mention_everyone, language${rare ? `, ${rareColumns.join(", ")}, mention_role_ids, mention_here` : ""})
      SELECT id, channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids::uuid[],
        mention_everyone, coalesce(language, ${serverLanguage})${rare ? `, ${rareColumns.map((name) => `rare.${name}`).join(", ")}, coalesce(rare.mention_role_ids, '{}'), coalesce(rare.mention_here, false)` : ""}
      FROM timed${rare ? ` ${rareRows}` : ""} ORDER BY thread_id, position),
    event AS (
      INSERT INTO outbox (id, subject, payload, headers, order_key)
      SELECT event_id, subject, payload, ${filledHeaders({ headers: "headers", id: "id" })}, channel_id
      FROM timed ORDER BY position)${more}
    SELECT position::integer, id, event_id, time, payload FROM timed ORDER BY position`,
    row: stored,
  });

const messageStatement = insertStatement("message_insert");

/**
 * CTEs that store the polls in $14 and the scheduled events in $15, each with the position of its message, and note which
 * messages may get link cards.
 */
const storeParts = `,
    poll AS (
      INSERT INTO polls (id, message_id, question, multiple, ends_at, end_due_at)
      SELECT input.id, timed.id, input.question, input.multiple, input.ends_at, input.ends_at
      FROM jsonb_to_recordset($14::jsonb) AS input (position bigint, id uuid, question text, multiple integer,
        ends_at timestamptz)
      JOIN timed USING (position)),
    option AS (
      INSERT INTO poll_options (id, poll_id, position, text)
      SELECT option.id, input.id, option.position - 1, option.text
      FROM jsonb_to_recordset($14::jsonb) AS input (position bigint, id uuid, options jsonb)
      JOIN timed USING (position),
        ROWS FROM (jsonb_to_recordset(input.options) AS (id uuid, text text)) WITH ORDINALITY
          AS option (id, text, position)),
    scheduled AS (
      INSERT INTO scheduled_events (id, message_id, channel_id, name, description, starts_at, created_by, created_at,
        ends_at, place, voice_channel_id)
      SELECT input.id, timed.id, timed.channel_id, input.name, input.description, input.starts_at, input.created_by,
        input.created_at, input.ends_at, input.place, input.voice_channel_id
      FROM jsonb_to_recordset($15::jsonb) AS input (position bigint, id uuid, name text, description text,
          starts_at timestamptz, created_by uuid, created_at timestamptz, ends_at timestamptz, place text,
          voice_channel_id uuid)
      JOIN timed USING (position))${notePreviewTasks}`;

const messageWithPartsStatement = insertStatement("message_insert_with_parts", { more: storeParts });

/** For messages with nonces ($16), and perhaps parts, among them. Stores the first message of each nonce. */
const claiming = {
  before: `
    named AS (
      SELECT position, nonce FROM unnest((SELECT $16::text[])) WITH ORDINALITY AS input (nonce, position)
      WHERE nonce IS NOT NULL),
    claimed AS (
      ${claimNonces(`SELECT DISTINCT ON (author_id, channel_id, nonce) author_id, channel_id, nonce, id
      FROM draft JOIN named USING (position) ORDER BY author_id, channel_id, nonce, position`)}),`,
  which: "WHERE position NOT IN (SELECT position FROM named) OR id IN (SELECT message_id FROM claimed)",
};
const messageWithNonceStatement = insertStatement("message_insert_with_nonce", { ...claiming, more: storeParts });

/** For messages with files ($18) among them, so that all of them have ids ($17), and some may have nonces and parts. */
const messageWithFilesStatement = insertStatement("message_insert_with_files", {
  ...claiming,
  id: "($17::uuid[])[position]",
  more: storeParts + storeAttachments("$18"),
});

/** CTE that stores the users whom the messages mention by groups. */
const storeGroups = `,
    grouped AS (
      ${storeGroupMentions(`(SELECT timed.id, timed.server_id, rare.mention_role_ids, rare.mention_here
        FROM timed ${rareRows.replace("LEFT JOIN", "JOIN")} WHERE ${mentionsGroup("rare")})`)})`;

/**
 * For messages with rare parts ($19) among them; some may have files, nonces and parts. An answer is stored together with the
 * new state of its interaction, or not at all: so of two concurrent answers the database stores one.
 */
const messageWithRareStatement = insertStatement("message_insert_with_rare", {
  before: `${claiming.before}
    answering AS (
      SELECT draft.position, draft.id, (rare.interaction ->> 'id')::uuid AS interaction_id, rare.expected
      FROM jsonb_to_recordset($19::jsonb) AS rare (position bigint, interaction jsonb, expected text)
      JOIN draft USING (position) WHERE rare.interaction IS NOT NULL),
    answered AS (
      ${answerInteractions("answering")}),`,
  id: "coalesce(($17::uuid[])[position], uuidv7())",
  which: `${claiming.which.replace("WHERE ", "WHERE (")})
      AND (position NOT IN (SELECT position FROM answering) OR id IN (SELECT message_id FROM answered))`,
  rare: true,
  more: storeParts + storeAttachments("$18") + storeGroups,
});

/**
 * Stores messages and their events in one statement.
 *
 * @returns an outcome for each event, in their order
 */
export async function insertMessages(session: Session, events: readonly NamedEvent[]): Promise<Outcome[]> {
  const messages = events.map(({ payload }) => payload);
  const polls = messages.flatMap(({ poll }, index) => (poll === null ? [] : [{ ...poll, position: index + 1 }]));
  const scheduled = messages.flatMap(({ event }, index) => (event === null ? [] : [{ ...event, position: index + 1 }]));
  const values = [
    messages.map((message) => message.channel_id),
    events.map((event) => event.serverId),
    messages.map((message) => message.author_id),
    messages.map((message) => message.content),
    messages.map((message) => message.reply_to),
    messages.map((message) => message.thread_id),
    messages.map((message) => `{${message.mention_user_ids.join(",")}}`),
    messages.map((message) => message.mention_everyone),
    events.map((event) => event.subject),
    events.map((event) => event.body),
    events.map((event) => JSON.stringify(event.headers)),
    events.map((event) => event.authorVersion),
    messages.map((message) => guessLanguage(message.content)),
  ];
  const nonces = messages.map((message) => message.nonce ?? null);
  const parts = [...values, JSON.stringify(polls), JSON.stringify(scheduled)];
  const attachments = events.flatMap(({ named }, index) =>
    (named?.rows ?? []).map((row) => ({ ...row, position: index + 1 })),
  );
  const ids = events.map(({ named }) => named?.id ?? null);
  const rare = events.flatMap(({ rare }, index) => (rare === null ? [] : [{ ...rare, position: index + 1 }]));
  const whole = [...parts, nonces, ids, JSON.stringify(attachments)];
  const rows =
    rare.length > 0
      ? await session.query(messageWithRareStatement, [...whole, JSON.stringify(rare)])
      : attachments.length > 0
        ? await session.query(messageWithFilesStatement, whole)
        : nonces.some((nonce) => nonce !== null)
          ? await session.query(messageWithNonceStatement, [...parts, nonces])
          : polls.length + scheduled.length > 0 || messages.some(({ content }) => mayHaveLinks(content))
            ? await session.query(messageWithPartsStatement, parts)
            : await session.query(messageStatement, values);
  const rowOf = new Map(rows.map((row) => [row.position, row]));
  return messages.map((message, index) => {
    const row = rowOf.get(index + 1);
    return { status: "fulfilled", value: row === undefined ? null : { ...row, message } };
  });
}

/** The error of a failed insert: 404 for a channel or message that was deleted meanwhile (docs/protocol/messages.md#7.1). */
export function missingReference(error: unknown): unknown {
  if (isForeignKeyViolation(error, "messages_reply_to_fkey")) return notFound(errorTexts.reply_target_not_found);
  if (isForeignKeyViolation(error, "messages_thread_id_fkey")) return notFound(errorTexts.message_not_found);
  if (isForeignKeyViolation(error)) return notFound(errorTexts.channel_not_found);
  return error;
}
