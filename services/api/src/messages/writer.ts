import { createEvent, type Message, notFound, type PendingJudgement } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation, rowsOfArrays, type Session } from "@parley/database";
import type { Outbox, OutboxRow } from "@parley/outbox";
import { z } from "zod";
import { cutEventText, idPlaceholder, joinEventText, timePlaceholder } from "./event-text.js";
import { writeBatchMax, writesInFlightMax } from "./limits.js";

/**
 * A message to be stored; its id and time come from the database, so that one clock orders them
 * (docs/architecture.md#api).
 */
export interface Draft {
  serverId: string;
  channelId: string;
  authorId: string;
  content: string;
  replyTo: string | null;
  /** Root message of the thread that this is a reply in. */
  threadId: string | null;
  mentionUserIds: readonly string[];
  mentionEveryone: boolean;
  /** Rules that have not judged the message yet; its event says so. */
  pending?: PendingJudgement | undefined;
}

/** A stored message with the event that was committed beside it. */
interface StoredMessage {
  message: Message;
  event: OutboxRow;
}

/**
 * One statement stores messages and their events. The event's text is put together around the id and the time that the
 * statement itself makes: head, id, middle, time, tail. Replies lock their root message; ordering by thread keeps two
 * statements from locking in opposite orders.
 */
const insertStatement = defineStatement({
  name: "message_insert",
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
      FROM timed ORDER BY position)
    SELECT id, event_id, time FROM timed ORDER BY position`,
  row: z.object({ id: z.string(), event_id: z.string(), time: z.string() }),
});

/**
 * Stores a message and publishes its event.
 *
 * @throws ServiceError 404 when the channel, the reply target or the thread's root is gone by now
 */
export type WriteMessage = (draft: Draft) => Promise<Message>;

/**
 * Messages that arrive while earlier ones are being stored go into one statement: measured in docs/architecture.md#api,
 * one row a
 * statement costs four times as much as rows together.
 */
export function createWriteMessage({ outbox }: { outbox: Outbox }): WriteMessage {
  const write = outbox.batch({
    orderOf: ({ serverId, channelId }: Draft) => ({ server_id: serverId, channel_id: channelId }),
    async write(session, drafts) {
      const results = await insertEach(session, drafts);
      return {
        results,
        rows: results.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.event] : [])),
      };
    },
    batchMax: writeBatchMax,
    inFlightMax: writesInFlightMax,
  });
  return async (draft) => {
    const outcome = await write(draft);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value.message;
  };
}

type Outcome = PromiseSettledResult<StoredMessage>;

/** One message whose channel is gone must not fail the others that happened to be stored with it. */
async function insertEach(session: Session, drafts: readonly Draft[]): Promise<Outcome[]> {
  try {
    const stored = await insertMessages(session, drafts);
    return stored.map((value) => ({ status: "fulfilled", value }));
  } catch (error) {
    if (drafts.length === 1) return [{ status: "rejected", reason: missingReference(error) }];
    if (!isForeignKeyViolation(error)) throw error;
    return (await Promise.all(drafts.map((draft) => insertEach(session, [draft])))).flat();
  }
}

async function insertMessages(session: Session, drafts: readonly Draft[]): Promise<StoredMessage[]> {
  const prepared = drafts.map(prepare);
  const rows = await session.query(insertStatement, [
    drafts.map((draft) => draft.channelId),
    drafts.map((draft) => draft.serverId),
    drafts.map((draft) => draft.authorId),
    drafts.map((draft) => draft.content),
    drafts.map((draft) => draft.replyTo),
    drafts.map((draft) => draft.threadId),
    drafts.map((draft) => `{${draft.mentionUserIds.join(",")}}`),
    drafts.map((draft) => draft.mentionEveryone),
    prepared.map((event) => event.subject),
    prepared.map(({ text }) => text.head),
    prepared.map(({ text }) => text.middle),
    prepared.map(({ text }) => text.tail),
    prepared.map(({ headers }) => JSON.stringify(headers)),
  ]);
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

/** The event of a draft, its text cut where the id and the time belong. */
function prepare(draft: Draft) {
  const message: Message = {
    id: idPlaceholder,
    channel_id: draft.channelId,
    author_id: draft.authorId,
    content: draft.content,
    reply_to: draft.replyTo,
    mention_user_ids: [...draft.mentionUserIds],
    mention_everyone: draft.mentionEveryone,
    thread_id: draft.threadId,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: timePlaceholder,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: null,
    event: null,
  };
  const { subject, body, headers } = createEvent(
    draft.threadId === null ? "MESSAGE_CREATE" : "THREAD_MESSAGE_CREATE",
    { server_id: draft.serverId, channel_id: draft.channelId },
    message,
    { automod: draft.pending },
  );
  return { message, subject, headers, text: cutEventText(body) };
}

/** What a failed insert of a message tells its caller: the contract's 404 for whatever was deleted meanwhile. */
export function missingReference(error: unknown): unknown {
  if (isForeignKeyViolation(error, "messages_reply_to_fkey")) return notFound("Reply target message not found");
  if (isForeignKeyViolation(error, "messages_thread_id_fkey")) return notFound("Message not found");
  if (isForeignKeyViolation(error)) return notFound("Channel not found");
  return error;
}
