import {
  createEvent,
  type Message,
  notFound,
  type OutboxRow,
  type PendingJudgement,
  type Poll,
} from "@parley/contracts";
import { defineStatement, isForeignKeyViolation, rowsOfArrays, type Session } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { accessErrors } from "../access/error-texts.js";
import type { CreatePoll } from "../polls/schema.js";
import type { MessageDraft } from "./draft.js";
import { messageErrors } from "./error-texts.js";
import { cutEventText, idPlaceholder, joinEventText, timePlaceholder } from "./event-text.js";
import { writeBatchMax, writesInFlightMax } from "./limits.js";
import type { SendContext } from "./send-context.js";

/** A message to be stored, with what was learned about it. */
interface Insertion {
  draft: MessageDraft;
  context: Pick<SendContext, "serverId" | "mentionUserIds" | "mentionEveryone">;
  /** Rules that have not judged the message yet; its event says so. */
  pending: PendingJudgement | undefined;
}

/** A stored message and the event that was committed beside it, or why it was not stored. */
type Outcome = PromiseSettledResult<{ message: Message; event: OutboxRow }>;

/**
 * One statement stores messages and their events. The event's text is put together around the id and the time that the
 * statement itself makes: head, id, middle, time, tail. Replies lock their root message; ordering by thread keeps two
 * statements from locking in opposite orders.
 *
 * @param more stores further rows of the messages in `timed`
 */
const insertStatement = (name: string, more = "") =>
  defineStatement({
    name,
    text: `WITH draft AS MATERIALIZED (
      SELECT position, uuidv7() AS id, uuidv7() AS event_id, channel_id, server_id, author_id, content, reply_to,
        thread_id, mention_user_ids, mention_everyone, subject, head, middle, tail, headers
      FROM ${rowsOfArrays("uuid", "uuid", "uuid", "text", "uuid", "uuid", "text", "boolean", "text", "text", "text", "text", "text")} WITH ORDINALITY
        AS input (channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids, mention_everyone,
          subject, head, middle, tail, headers, position)),
    timed AS MATERIALIZED (
      SELECT draft.*, to_char(uuid_extract_timestamp(id) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time
      FROM draft),
    stored AS (
      INSERT INTO messages (id, channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids,
        mention_everyone)
      SELECT id, channel_id, server_id, author_id, content, reply_to, thread_id, mention_user_ids::uuid[],
        mention_everyone
      FROM timed ORDER BY thread_id, position),
    event AS (
      INSERT INTO outbox (id, subject, payload, headers, order_key)
      SELECT event_id, subject, head || id || middle || time || tail, headers::jsonb, channel_id
      FROM timed ORDER BY position)${more}
    SELECT id, event_id, time FROM timed ORDER BY position`,
    row: z.object({ id: z.string(), event_id: z.string(), time: z.string() }),
  });

const messageStatement = insertStatement("message_insert");

/** The same for messages of which some have polls; $14 holds the polls, each with the position of its message. */
const messageWithPollStatement = insertStatement(
  "message_insert_with_poll",
  `,
    poll AS (
      INSERT INTO polls (id, message_id, question)
      SELECT input.id, timed.id, input.question
      FROM jsonb_to_recordset($14::jsonb) AS input (position bigint, id uuid, question text)
      JOIN timed USING (position)),
    option AS (
      INSERT INTO poll_options (id, poll_id, position, text)
      SELECT option.id, input.id, option.position - 1, option.text
      FROM jsonb_to_recordset($14::jsonb) AS input (id uuid, options jsonb),
        ROWS FROM (jsonb_to_recordset(input.options) AS (id uuid, text text)) WITH ORDINALITY
          AS option (id, text, position))`,
);

/**
 * Messages that arrive while earlier ones are being stored go into one statement: measured in docs/architecture.md#api,
 * one row a statement costs four times as much as rows together.
 */
export function createWriteMessage({ outbox }: { outbox: Outbox }) {
  const write = outbox.batch({
    orderOf: ({ draft, context }: Insertion) => ({ server_id: context.serverId, channel_id: draft.channelId }),
    async write(session, insertions) {
      const results = await insertEach(session, insertions);
      return {
        results,
        rows: results.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.event] : [])),
      };
    },
    batchMax: writeBatchMax,
    inFlightMax: writesInFlightMax,
  });

  /**
   * Stores a message, with its poll if it has one, and publishes its event. Id and time come from the database, so that
   * one clock orders messages (docs/architecture.md#api).
   *
   * @throws ServiceError 404 when the channel, the reply target or the thread's root is gone by now
   */
  return async (insertion: Insertion): Promise<Message> => {
    const outcome = await write(insertion);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value.message;
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

async function insertMessages(session: Session, insertions: readonly Insertion[]) {
  const prepared = insertions.map(prepare);
  const polls = prepared.flatMap(({ message: { poll } }, index) =>
    poll === null ? [] : [{ ...poll, position: index + 1 }],
  );
  const values = [
    insertions.map(({ draft }) => draft.channelId),
    insertions.map(({ context }) => context.serverId),
    insertions.map(({ draft }) => draft.authorId),
    insertions.map(({ draft }) => draft.content),
    insertions.map(({ draft }) => draft.replyTo ?? null),
    insertions.map(({ draft }) => draft.threadId ?? null),
    insertions.map(({ context }) => `{${context.mentionUserIds.join(",")}}`),
    insertions.map(({ context }) => context.mentionEveryone),
    prepared.map((event) => event.subject),
    prepared.map(({ text }) => text.head),
    prepared.map(({ text }) => text.middle),
    prepared.map(({ text }) => text.tail),
    prepared.map(({ headers }) => JSON.stringify(headers)),
  ];
  const rows =
    polls.length === 0
      ? await session.query(messageStatement, values)
      : await session.query(messageWithPollStatement, [...values, JSON.stringify(polls)]);
  return rows.flatMap(({ id, event_id, time }, index) => {
    const event = prepared[index];
    if (event === undefined) return [];
    const { subject, text, headers, message } = event;
    return [
      {
        message: { ...message, id, created_at: time },
        event: { id: event_id, subject, body: joinEventText(text, { id, time }), headers },
      },
    ];
  });
}

/** The event of a message, its text cut where the id and the time belong. */
function prepare({ draft, context, pending }: Insertion) {
  const { threadId = null } = draft;
  const message: Message = {
    id: idPlaceholder,
    channel_id: draft.channelId,
    author_id: draft.authorId,
    content: draft.content,
    reply_to: draft.replyTo ?? null,
    mention_user_ids: context.mentionUserIds,
    mention_everyone: context.mentionEveryone,
    thread_id: threadId,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: timePlaceholder,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: draft.poll === undefined ? null : newPoll(draft.poll),
    event: null,
  };
  const { subject, body, headers } = createEvent(
    threadId === null ? "MESSAGE_CREATE" : "THREAD_MESSAGE_CREATE",
    { server_id: context.serverId, channel_id: draft.channelId },
    message,
    { poll_id: message.poll?.id, automod: pending },
  );
  return { message, subject, headers, text: cutEventText(body) };
}

/** Nothing is ordered by the ids of polls and options, so this process may make them. */
function newPoll({ question, options }: CreatePoll): Poll {
  return {
    id: uuidv7(),
    question,
    options: options.map((text) => ({ id: uuidv7(), text, votes: 0 })),
    total_votes: 0,
    user_vote: null,
  };
}

/** What a failed insert of a message tells its caller: the contract's 404 for whatever was deleted meanwhile. */
function missingReference(error: unknown): unknown {
  if (isForeignKeyViolation(error, "messages_reply_to_fkey")) return notFound(messageErrors.replyTargetNotFound);
  if (isForeignKeyViolation(error, "messages_thread_id_fkey")) return notFound(messageErrors.notFound);
  if (isForeignKeyViolation(error)) return notFound(accessErrors.channelNotFound);
  return error;
}
