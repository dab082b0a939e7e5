import {
  createEvent,
  dispatchFrame,
  errorTexts,
  factsHeader,
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
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { z } from "zod";
import { forBoth, type KindName } from "../core/kind.js";
import type { ReadOrUnread } from "./schema.js";

/** Most marks that one statement moves. */
const marksMax = 100;
/** Concurrent statements that move marks; requests that arrive meanwhile share the next one. */
const statementsInFlightMax = 2;

const Row = z.object({
  user_id: z.string(),
  channel_id: z.string(),
  event_id: z.string(),
  read_at: z.string(),
  body: z.string(),
});
const place = { channel: "marked.channel_id", mark: "marked.since", user: "marked.user_id" };
/** With the place of the payload, for format(). */
const frame = dispatchFrame("READ_STATE_UPDATE", "%s");

/**
 * SQL of each kind: the time when the user `mark` joined the channel, the condition of counted messages, and the source
 * of the messages' times, deleted ones included. And the text of the 404 for a channel that is gone.
 */
const kinds = {
  channel: {
    joinedAt: `SELECT m.joined_at FROM channels c JOIN members m ON m.server_id = c.server_id
    WHERE c.id = mark.channel_id AND m.user_id = mark.user_id`,
    unread: unreadCount(place),
    mentions: mentionCount(place),
    times: ["messages"],
    missing: errorTexts.channel_not_found,
  },
  direct: {
    joinedAt:
      "SELECT joined_at FROM dm_group_members g WHERE g.channel_id = mark.channel_id AND g.user_id = mark.user_id",
    unread: directUnreadCount(place),
    mentions: "0",
    times: ["dm_messages", "deleted_dm_messages"],
    missing: errorTexts.dm_channel_not_found,
  },
};

/**
 * SQL of each direction: the order of requests of one user for one channel, whose first counts, the first mark of a channel, and the
 * mark that follows another one. A channel without a mark is unread as a whole, so the first mark that goes back is the oldest.
 */
const directions = {
  forward: {
    order: "DESC",
    first: "last_read_at",
    next: "greatest(mark.last_read_at, excluded.last_read_at)",
  },
  back: {
    order: "ASC",
    first: "timestamptz 'epoch'",
    next: `least(mark.last_read_at, (
          SELECT last_read_at FROM asked WHERE (asked.user_id, asked.channel_id) = (mark.user_id, mark.channel_id)))`,
  },
};
type Direction = keyof typeof directions;

/**
 * Moves marks to a time, or to now, and stores an event for each, with the unread counts after it. Marks
 * are truncated, because messages carry truncated milliseconds: one rounded up would hide a message sent right after
 * it. `now()` is when the statement began: one that waited for the row must not replace a later mark. Requests of one
 * user for one channel share the farthest mark of them and its event.
 */
const markStatement = (prefix: string, kind: KindName, direction: Direction) =>
  defineStatement({
    name: `${prefix}read_state_${direction}`,
    text: `WITH asked AS MATERIALIZED (
      SELECT DISTINCT ON (user_id, channel_id) user_id, channel_id, subject, headers,
        coalesce(up_to, date_trunc('milliseconds', now())) AS last_read_at
      FROM ${rowsOfArrays("uuid", "uuid", "text", "text", "timestamptz")}
        AS asked (user_id, channel_id, subject, headers, up_to)
      ORDER BY user_id, channel_id, last_read_at ${directions[direction].order}),
    moved AS (
      INSERT INTO ${prefix}read_states AS mark (user_id, channel_id, last_read_at)
      SELECT user_id, channel_id, ${directions[direction].first} FROM asked
      ON CONFLICT (user_id, channel_id) DO UPDATE
        SET last_read_at = ${directions[direction].next}
      RETURNING user_id, channel_id, last_read_at),
    marked AS MATERIALIZED (SELECT mark.*, greatest(mark.last_read_at, (${kinds[kind].joinedAt})) AS since FROM moved mark),
    told AS MATERIALIZED (
      SELECT marked.user_id, marked.channel_id, uuidv7() AS event_id, asked.subject, state.last_read_at AS read_at,
        asked.headers::jsonb || jsonb_build_object('${factsHeader}',
          concat(asked.headers::jsonb ->> '${factsHeader}', ';read_at=', state.last_read_at)) AS headers,
        format('${frame}', row_to_json(state)) AS body
      FROM asked JOIN marked USING (user_id, channel_id)
      CROSS JOIN LATERAL (
        SELECT marked.channel_id, ${jsonTime("marked.last_read_at")} AS last_read_at, ${kinds[kind].unread} AS unread_count,
          ${kinds[kind].mentions} AS mention_count) state),
    event AS (
      INSERT INTO outbox (id, subject, payload, headers, order_key)
      SELECT event_id, subject, body, headers, user_id FROM told)
    SELECT user_id, channel_id, event_id, read_at, body FROM told`,
    row: Row,
  });
const markStatements = forBoth((prefix, kind) => ({
  forward: markStatement(prefix, kind, "forward"),
  back: markStatement(prefix, kind, "back"),
}));

const timeStatements = forBoth((prefix, kind) =>
  defineStatement({
    name: `${prefix}read_state_time`,
    text: kinds[kind].times
      .map((table) => `SELECT uuid_extract_timestamp(id) AS time FROM ${table} WHERE id = $1 AND channel_id = $2`)
      .join(" UNION ALL "),
    row: z.object({ time: z.date() }),
  }),
);

/** A mark to be moved, and its event, whose payload the statement writes. */
interface Mark extends OutgoingEvent {
  user_id: string;
  channel_id: string;
  /** The time up to which was read; null for all. */
  up_to: Date | null;
  /** Called when the mark and its event are committed. */
  onStored: () => void;
}

interface MarkResults {
  results: PromiseSettledResult<void>[];
  rows: OutboxRow[];
}

/**
 * Moves a user's last-read mark of a channel forward, or back to just before an unread message (docs/protocol/messages.md#7.8), and
 * notifies the user's connections.
 *
 * @param place.server_id of a channel of a server
 * @param place.read.message_id of the newest message that was read; absent for all messages until now
 * @param place.read.unread that the message is the oldest unread one
 * @throws ServiceError 404 when the channel is gone, and for a message that was never in it
 */
type MarkRead = (place: {
  user_id: string;
  channel_id: string;
  read: ReadOrUnread;
  server_id: string | undefined;
}) => Promise<void>;

/**
 * Creates {@link MarkRead}. A client acknowledges every message that it shows, so the marks that arrive while others
 * are being stored share a statement.
 */
export function createMarkRead(
  kind: KindName,
  { database, outbox }: { database: Queryable; outbox: Outbox<Transaction> },
): MarkRead {
  const timeOf = async (channelId: string, messageId: string) => {
    const [message] = await database.query(timeStatements[kind], [messageId, channelId]);
    if (message === undefined) throw notFound(errorTexts.message_not_found);
    return message.time;
  };
  const batchOf = (direction: Direction) =>
    outbox.batch({
      write: (session, marks: readonly Mark[]) => moveEach(session, markStatements[kind][direction], marks),
      batchMax: marksMax,
      inFlightMax: statementsInFlightMax,
    });
  const batches = { forward: batchOf("forward"), back: batchOf("back") };
  return async ({ user_id, channel_id, read: { message_id, unread }, server_id }) => {
    const at = message_id === undefined ? null : await timeOf(channel_id, message_id);
    const up_to = unread && at !== null ? new Date(at.getTime() - 1) : at;
    const draft = { channel_id, last_read_at: "", unread_count: 0, mention_count: 0 };
    const event = createEvent("READ_STATE_UPDATE", { user_id }, draft, { shard_of: server_id });
    // The answer does not wait for the stream, as nobody else gets an event of the mark; at most two batches are ahead
    // of it.
    await new Promise<void>((resolve, reject) => {
      const settle = (outcome: PromiseSettledResult<void>) => {
        if (outcome.status === "rejected")
          reject(isForeignKeyViolation(outcome.reason) ? notFound(kinds[kind].missing) : outcome.reason);
      };
      batches[unread ? "back" : "forward"]
        .add({ ...event, user_id, channel_id, up_to, onStored: resolve })
        .then(settle, reject);
    });
  };
}

/** After a violated foreign key, moves each mark alone, so that only that of the channel which is gone fails. */
async function moveEach(
  session: Session,
  statement: Statement<z.infer<typeof Row>>,
  marks: readonly Mark[],
): Promise<MarkResults> {
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
): Promise<MarkResults> {
  const stored = await session.query(statement, [
    ...columnsOf(marks, "user_id", "channel_id", "subject"),
    marks.map(({ headers }) => JSON.stringify(headers)),
    marks.map(({ up_to }) => up_to?.toISOString() ?? null),
  ]);
  for (const { onStored } of marks) onStored();
  const markOf = new Map(marks.map((mark) => [`${mark.user_id} ${mark.channel_id}`, mark]));
  return {
    results: marks.map(() => ({ status: "fulfilled", value: undefined })),
    rows: stored.flatMap(({ user_id, channel_id, event_id: id, read_at, body }) => {
      const mark = markOf.get(`${user_id} ${channel_id}`);
      if (mark === undefined) return [];
      const facts = `${mark.headers[factsHeader]};read_at=${read_at}`;
      return [{ id, subject: mark.subject, headers: { ...mark.headers, [factsHeader]: facts }, body }];
    }),
  };
}
