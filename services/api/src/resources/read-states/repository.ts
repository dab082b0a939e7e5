import {
  createEvent,
  dispatchFrame,
  errorTexts,
  notFound,
  type OutboxRow,
  type OutgoingEvent,
} from "@parley/contracts";
import {
  columnsOf,
  defineStatement,
  directUnreadCount,
  isForeignKeyViolation,
  jsonTime,
  mentionCount,
  rowsOfArrays,
  type Session,
  type Statement,
  unreadCount,
} from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { z } from "zod";

/** Most marks that one statement moves. */
const marksMax = 100;
/** Concurrent statements that move marks; requests that arrive meanwhile share the next one. */
const statementsInFlightMax = 2;

const Row = z.object({ user_id: z.string(), channel_id: z.string(), event_id: z.string(), body: z.string() });
const place = { channel: "marked.channel_id", mark: "marked.last_read_at", user: "marked.user_id" };
/** With the place of the payload, for format(). */
const frame = dispatchFrame("READ_STATE_UPDATE", "%s");

/**
 * Moves marks to now and stores an event for each, with what is unread after it. Marks are truncated, because messages
 * carry truncated milliseconds: one rounded up would hide a message sent right after it. `now()` is when the statement
 * began: one that waited for the row must not replace a later mark. Two requests of one user for one channel share a
 * mark and its event.
 */
const markStatement = (name: string, marks: string, { unread, mentions }: { unread: string; mentions: string }) =>
  defineStatement({
    name,
    text: `WITH asked AS MATERIALIZED (
      SELECT DISTINCT ON (user_id, channel_id) user_id, channel_id, subject, headers
      FROM ${rowsOfArrays("uuid", "uuid", "text", "text")} AS asked (user_id, channel_id, subject, headers)
      ORDER BY user_id, channel_id),
    marked AS (
      INSERT INTO ${marks} AS mark (user_id, channel_id, last_read_at)
      SELECT user_id, channel_id, date_trunc('milliseconds', now()) FROM asked
      ON CONFLICT (user_id, channel_id) DO UPDATE
        SET last_read_at = greatest(mark.last_read_at, excluded.last_read_at)
      RETURNING user_id, channel_id, last_read_at),
    told AS MATERIALIZED (
      SELECT marked.user_id, marked.channel_id, uuidv7() AS event_id, asked.subject, asked.headers,
        format('${frame}', row_to_json(state)) AS body
      FROM asked JOIN marked USING (user_id, channel_id)
      CROSS JOIN LATERAL (
        SELECT marked.channel_id, ${jsonTime("marked.last_read_at")} AS last_read_at, ${unread} AS unread_count,
          ${mentions} AS mention_count) state),
    event AS (
      INSERT INTO outbox (id, subject, payload, headers, order_key)
      SELECT event_id, subject, body, headers::jsonb, user_id FROM told)
    SELECT user_id, channel_id, event_id, body FROM told`,
    row: Row,
  });

const channelStatement = markStatement("read_state_mark", "read_states", {
  unread: unreadCount(place),
  mentions: mentionCount(place),
});
const directStatement = markStatement("dm_read_state_mark", "dm_read_states", {
  unread: directUnreadCount(place),
  mentions: "0",
});

/** A mark to be moved, and its event, whose payload the statement writes. */
interface Mark extends OutgoingEvent {
  user_id: string;
  channel_id: string;
  /** Called when the mark and its event are committed. */
  onStored: () => void;
}

interface Moved {
  results: PromiseSettledResult<void>[];
  rows: OutboxRow[];
}

/**
 * Moves a user's last-read mark of a channel to now (docs/interface.md#7.8), and tells the user's connections.
 *
 * @param place.server_id of a channel of a server
 * @throws ServiceError 404 when the channel is gone
 */
type MarkRead = (place: { user_id: string; channel_id: string; server_id?: string }) => Promise<void>;

/** For channels of servers. */
export function createMarkRead(outbox: Outbox<Transaction>): MarkRead {
  return createMarks(outbox, channelStatement, errorTexts.channel_not_found);
}

/** For channels of direct messages. */
export function createMarkDirectRead(outbox: Outbox<Transaction>): MarkRead {
  return createMarks(outbox, directStatement, errorTexts.dm_channel_not_found);
}

/** A client acknowledges whatever it shows, so the marks that arrive while others are being stored share a statement. */
function createMarks(
  outbox: Outbox<Transaction>,
  statement: Statement<z.infer<typeof Row>>,
  missing: string,
): MarkRead {
  const batch = outbox.batch({
    write: (session, marks: readonly Mark[]) => moveEach(session, statement, marks),
    batchMax: marksMax,
    inFlightMax: statementsInFlightMax,
  });
  return async ({ user_id, channel_id, server_id }) => {
    const draft = { channel_id, last_read_at: "", unread_count: 0, mention_count: 0 };
    const event = createEvent("READ_STATE_UPDATE", { user_id }, draft, { shard_of: server_id });
    // The answer does not wait for the stream, as nobody else hears of the mark; at most two batches are ahead of it.
    await new Promise<void>((resolve, reject) => {
      const settle = (outcome: PromiseSettledResult<void>) => {
        if (outcome.status === "rejected")
          reject(isForeignKeyViolation(outcome.reason) ? notFound(missing) : outcome.reason);
      };
      batch.add({ ...event, user_id, channel_id, onStored: resolve }).then(settle, reject);
    });
  };
}

/** After a violated foreign key, moves each mark alone, so that only that of the channel which is gone fails. */
async function moveEach(
  session: Session,
  statement: Statement<z.infer<typeof Row>>,
  marks: readonly Mark[],
): Promise<Moved> {
  try {
    return await moveMarks(session, statement, marks);
  } catch (reason) {
    if (marks.length === 1) return { results: [{ status: "rejected", reason }], rows: [] };
    if (!isForeignKeyViolation(reason)) throw reason;
    const alone = await Promise.all(marks.map((mark) => moveEach(session, statement, [mark])));
    return { results: alone.flatMap(({ results }) => results), rows: alone.flatMap(({ rows }) => rows) };
  }
}

async function moveMarks(
  session: Session,
  statement: Statement<z.infer<typeof Row>>,
  marks: readonly Mark[],
): Promise<Moved> {
  const stored = await session.query(statement, [
    ...columnsOf(marks, "user_id", "channel_id", "subject"),
    marks.map(({ headers }) => JSON.stringify(headers)),
  ]);
  for (const { onStored } of marks) onStored();
  const markOf = new Map(marks.map((mark) => [`${mark.user_id} ${mark.channel_id}`, mark]));
  return {
    results: marks.map(() => ({ status: "fulfilled", value: undefined })),
    rows: stored.flatMap(({ user_id, channel_id, event_id: id, body }) => {
      const mark = markOf.get(`${user_id} ${channel_id}`);
      return mark === undefined ? [] : [{ id, subject: mark.subject, headers: mark.headers, body }];
    }),
  };
}
