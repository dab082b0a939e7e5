import {
  createEvent,
  notFound,
  type OutboxRow,
  type OutgoingEvent,
  type PendingJudgement,
  type SentMessage,
} from "@parley/contracts";
import { defineStatement, isForeignKeyViolation, rowsOfArrays, type Session } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import { z } from "zod";
import { accessErrors } from "../access/error-texts.js";
import { claimNonces } from "../nonces/repository.js";
import type { MessageDraft } from "./draft.js";
import { messageErrors } from "./error-texts.js";
import { filledBody } from "./event-placeholders.js";
import { writeBatchMax, writesInFlightMax } from "./limits.js";
import { newMessage } from "./new-message.js";
import type { SendContext } from "./send-context.js";

/** A message to be stored with its event; placeholders stand in both for its id and its time. */
interface Insertion {
  serverId: string;
  message: SentMessage;
  event: OutgoingEvent;
}

type Context = Pick<SendContext, "serverId" | "mentionUserIds" | "mentionEveryone">;

/** A stored message and the event that was committed beside it; null when its nonce is another message's. */
type Stored = { message: SentMessage; event: OutboxRow } | null;

/** The same, or why it was not stored. */
type Outcome = PromiseSettledResult<Stored>;

/**
 * One statement stores messages and their events. It makes their ids and times, and fills them into the events. Replies
 * lock their root message; ordering by thread keeps two statements from locking in opposite orders.
 *
 * @param options.before comes before the messages are stored
 * @param options.which those of the drafts that are stored
 * @param options.more stores further rows of the messages in `timed`
 */
const insertStatement = (name: string, { before = "", which = "", more = "" } = {}) =>
  defineStatement({
    name,
    text: `WITH draft AS MATERIALIZED (
      SELECT position, uuidv7() AS id, uuidv7() AS event_id, channel_id, server_id, author_id, content, reply_to,
        thread_id, mention_user_ids, mention_everyone, subject, body, headers
      FROM ${rowsOfArrays("uuid", "uuid", "uuid", "text", "uuid", "uuid", "text", "boolean", "text", "text", "text")} WITH ORDINALITY
        AS input (channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids, mention_everyone,
          subject, body, headers, position)),${before}
    timed AS MATERIALIZED (
      SELECT draft.*, time, ${filledBody({ body: "body", id: "id", time: "time" })} AS payload
      FROM draft, LATERAL (
        SELECT to_char(uuid_extract_timestamp(id) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time) AS clock
      ${which}),
    stored AS (
      INSERT INTO messages (id, channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids,
        mention_everyone)
      SELECT id, channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids::uuid[],
        mention_everyone
      FROM timed ORDER BY thread_id, position),
    event AS (
      INSERT INTO outbox (id, subject, payload, headers, order_key)
      SELECT event_id, subject, payload, headers::jsonb, channel_id
      FROM timed ORDER BY position)${more}
    SELECT position::integer, id, event_id, time, payload FROM timed ORDER BY position`,
    row: z.object({ position: z.int(), id: z.string(), event_id: z.string(), time: z.string(), payload: z.string() }),
  });

const messageStatement = insertStatement("message_insert");

/** Stores the polls in $12 and the scheduled events in $13, each with the position of its message. */
const storeParts = `,
    poll AS (
      INSERT INTO polls (id, message_id, question)
      SELECT input.id, timed.id, input.question
      FROM jsonb_to_recordset($12::jsonb) AS input (position bigint, id uuid, question text)
      JOIN timed USING (position)),
    option AS (
      INSERT INTO poll_options (id, poll_id, position, text)
      SELECT option.id, input.id, option.position - 1, option.text
      FROM jsonb_to_recordset($12::jsonb) AS input (position bigint, id uuid, options jsonb)
      JOIN timed USING (position),
        ROWS FROM (jsonb_to_recordset(input.options) AS (id uuid, text text)) WITH ORDINALITY
          AS option (id, text, position)),
    scheduled AS (
      INSERT INTO scheduled_events (id, message_id, channel_id, name, description, starts_at, created_by, created_at)
      SELECT input.id, timed.id, timed.channel_id, input.name, input.description, input.starts_at, input.created_by,
        input.created_at
      FROM jsonb_to_recordset($13::jsonb) AS input (position bigint, id uuid, name text, description text,
          starts_at timestamptz, created_by uuid, created_at timestamptz)
      JOIN timed USING (position))`;

const messageWithPartsStatement = insertStatement("message_insert_with_parts", { more: storeParts });

/** For messages of which some have nonces, $14, and perhaps parts: of one nonce the first message is stored. */
const messageWithNonceStatement = insertStatement("message_insert_with_nonce", {
  before: `
    named AS (
      SELECT position, nonce FROM unnest((SELECT $14::text[])) WITH ORDINALITY AS input (nonce, position)
      WHERE nonce IS NOT NULL),
    claimed AS (
      ${claimNonces(`SELECT DISTINCT ON (author_id, channel_id, nonce) author_id, channel_id, nonce, id
      FROM draft JOIN named USING (position) ORDER BY author_id, channel_id, nonce, position`)}),`,
  which: "WHERE position NOT IN (SELECT position FROM named) OR id IN (SELECT message_id FROM claimed)",
  more: storeParts,
});

/**
 * Messages that arrive while earlier ones are being stored go into one statement: measured in docs/architecture.md#api,
 * one row a statement costs four times as much as rows together.
 */
export function createWriteMessage({ outbox }: { outbox: Outbox }) {
  const write = outbox.batch({
    orderOf: ({ serverId, message }: Insertion) => ({ server_id: serverId, channel_id: message.channel_id }),
    async write(session, insertions) {
      const results = await insertEach(session, insertions);
      return {
        results,
        rows: results.flatMap((outcome) =>
          outcome.status === "fulfilled" && outcome.value !== null ? [outcome.value.event] : [],
        ),
      };
    },
    batchMax: writeBatchMax,
    inFlightMax: writesInFlightMax,
  });

  /**
   * Stores a message, with its poll or scheduled event if it has one, and publishes its event. Id and time come from the
   * database, so that one clock orders messages (docs/architecture.md#api).
   *
   * @param pending rules that have not judged the message yet; its event says so
   * @returns null when another message has the nonce
   * @throws ServiceError 404 when the channel, the reply target or the thread's root is gone by now
   */
  return async (
    draft: MessageDraft,
    context: Context,
    pending: PendingJudgement | undefined,
  ): Promise<SentMessage | null> => {
    const message = newMessage(draft, context);
    const event = createEvent(
      message.thread_id === null ? "MESSAGE_CREATE" : "THREAD_MESSAGE_CREATE",
      { server_id: context.serverId, channel_id: draft.channelId },
      message,
      { poll_id: message.poll?.id, automod: pending },
    );
    const outcome = await write({ serverId: context.serverId, message, event });
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value?.message ?? null;
  };
}

/** One message whose channel is gone must not fail the others that happened to be stored with it. */
async function insertEach(session: Session, insertions: readonly Insertion[]): Promise<Outcome[]> {
  try {
    const stored = await insertMessages(session, insertions);
    return stored.map((value) => ({ status: "fulfilled", value }));
  } catch (error) {
    if (insertions.length === 1) return [{ status: "rejected", reason: missingReference(error) }];
    if (!isForeignKeyViolation(error)) throw error;
    return (await Promise.all(insertions.map((insertion) => insertEach(session, [insertion])))).flat();
  }
}

async function insertMessages(session: Session, insertions: readonly Insertion[]): Promise<Stored[]> {
  const polls = insertions.flatMap(({ message: { poll } }, index) =>
    poll === null ? [] : [{ ...poll, position: index + 1 }],
  );
  const events = insertions.flatMap(({ message: { event } }, index) =>
    event === null ? [] : [{ ...event, position: index + 1 }],
  );
  const values = [
    insertions.map(({ message }) => message.channel_id),
    insertions.map(({ serverId }) => serverId),
    insertions.map(({ message }) => message.author_id),
    insertions.map(({ message }) => message.content),
    insertions.map(({ message }) => message.reply_to),
    insertions.map(({ message }) => message.thread_id),
    insertions.map(({ message }) => `{${message.mention_user_ids.join(",")}}`),
    insertions.map(({ message }) => message.mention_everyone),
    insertions.map(({ event }) => event.subject),
    insertions.map(({ event }) => event.body),
    insertions.map(({ event }) => JSON.stringify(event.headers)),
  ];
  const nonces = insertions.map(({ message }) => message.nonce ?? null);
  const parts = [...values, JSON.stringify(polls), JSON.stringify(events)];
  const rows = nonces.some((nonce) => nonce !== null)
    ? await session.query(messageWithNonceStatement, [...parts, nonces])
    : polls.length + events.length > 0
      ? await session.query(messageWithPartsStatement, parts)
      : await session.query(messageStatement, values);
  const rowOf = new Map(rows.map((row) => [row.position, row]));
  return insertions.map(({ message, event: { subject, headers } }, index) => {
    const row = rowOf.get(index + 1);
    if (row === undefined) return null;
    const { id, event_id, time, payload } = row;
    return { message: { ...message, id, created_at: time }, event: { id: event_id, subject, body: payload, headers } };
  });
}

/** What a failed insert of a message tells its caller: 404 for whatever was deleted meanwhile (docs/interface.md#7.1). */
function missingReference(error: unknown): unknown {
  if (isForeignKeyViolation(error, "messages_reply_to_fkey")) return notFound(messageErrors.replyTargetNotFound);
  if (isForeignKeyViolation(error, "messages_thread_id_fkey")) return notFound(messageErrors.notFound);
  if (isForeignKeyViolation(error)) return notFound(accessErrors.channelNotFound);
  return error;
}
