import { columnsOf, type Database, defineStatement, isDirectHeard, isHeard, rowsOfArrays } from "@parley/database";
import { broadcastPerSecond, mergePauseMs, readingTimeMs } from "./limits.js";

/** The messages of a push and their candidates: the columns of `message m`, heard by `candidate`. */
interface Candidates {
  /** SQL of the FROM items `m` and `candidate`. */
  from: string;
  serverId: string;
  isHeard: string;
  /** SQL of a time that is added for each device. */
  pace?: string;
}

/**
 * Notes a message for each device of those who hear it, once; in the order of its key, so that two dispatchers do not wait for each
 * other in a circle. Due at once without a connection, later when the account may be reading, when a push of the channel has just gone,
 * and while the push service takes none (docs/protocol/notifications.md#26.2).
 */
const noteCandidates = ({ from, serverId, isHeard: heard, pace = "interval '0'" }: Candidates) => `
  INSERT INTO pushes (subscription_id, message_id, channel_id, server_id, due_at)
  SELECT s.id, m.id, m.channel_id, ${serverId}, greatest(
    now() + ${pace} + CASE WHEN u.connected THEN interval '${readingTimeMs} ms' ELSE interval '0' END,
    s.retry_at, pushed.pushed_at + interval '${mergePauseMs} ms')
  FROM ${from}
  JOIN push_subscriptions s ON s.user_id = candidate.user_id
  JOIN users u ON u.id = s.user_id
  LEFT JOIN pushed_channels pushed ON pushed.subscription_id = s.id AND pushed.channel_id = m.channel_id
  WHERE candidate.user_id IS DISTINCT FROM m.author_id AND ${heard}
  ORDER BY s.id, m.id
  ON CONFLICT DO NOTHING`;

const messages = `m AS MATERIALIZED (
    SELECT id, channel_id, server_id, author_id, thread_id, reply_to, mention_user_ids, mention_everyone, mention_here,
      mention_role_ids
    FROM messages WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) AND NOT deleted)`;

/** At the pace of {@link broadcastPerSecond}. */
const paced = `(row_number() OVER () - 1) * interval '${1_000 / broadcastPerSecond} ms'`;

/**
 * The users whom messages name or answer, and users who hear everything in the thread, the channel, the server, or by default. The
 * last two are found from the few who have devices.
 */
const named = `SELECT m.id AS message_id, named.user_id FROM m CROSS JOIN LATERAL unnest(m.mention_user_ids) AS named (user_id)
    UNION
    SELECT m.id, answered.author_id FROM m JOIN messages answered ON answered.id = m.reply_to
    UNION
    SELECT m.id, t.user_id FROM m
      CROSS JOIN LATERAL (VALUES ('thread', m.thread_id), ('channel', m.channel_id), ('server', m.server_id)) AS place (kind, id)
      JOIN notification_targets t ON t.target_id = place.id AND t.kind = place.kind
      WHERE t.level = 'all'
    UNION
    SELECT m.id, place.user_id FROM m JOIN (
      SELECT member.server_id, n.user_id FROM (SELECT DISTINCT server_id FROM m) asked
        CROSS JOIN notification_settings n
        JOIN members member ON member.server_id = asked.server_id AND member.user_id = n.user_id
        WHERE n.level = 'all' AND EXISTS (SELECT FROM push_subscriptions device WHERE device.user_id = n.user_id)
      ) place ON place.server_id = m.server_id`;

const noteNamed = {
  from: "candidate JOIN m ON m.id = candidate.message_id",
  serverId: "m.server_id",
  isHeard: isHeard("m", "candidate.user_id"),
};

/** The candidates of messages that mention neither everyone nor a group. */
export const namedStatement = defineStatement({
  name: "push_candidates_named",
  text: `WITH ${messages}, candidate AS MATERIALIZED (${named}) ${noteCandidates(noteNamed)}`,
});

/** The same with the users whom a message mentions by a role or as connected, who become due one after the other. */
export const groupStatement = defineStatement({
  name: "push_candidates_group",
  text: `WITH ${messages}, candidate AS MATERIALIZED (${named}
    UNION
    SELECT m.id, mentioned.user_id FROM m JOIN group_mentions g ON g.message_id = m.id
      CROSS JOIN LATERAL unnest(g.user_ids) AS mentioned (user_id))
  ${noteCandidates({ ...noteNamed, pace: paced })}`,
});

/** All members, who become due one after the other. */
const everyoneStatement = defineStatement({
  name: "push_candidates_everyone",
  text: `WITH ${messages} ${noteCandidates({
    from: "m JOIN members candidate ON candidate.server_id = m.server_id",
    serverId: "m.server_id",
    isHeard: isHeard("m", "candidate.user_id"),
    pace: paced,
  })}`,
});

export const directStatement = defineStatement({
  name: "push_candidates_direct",
  text: noteCandidates({
    from: `${rowsOfArrays("uuid", "uuid")} AS candidate (user_id, message_id)
      JOIN dm_messages m ON m.id = candidate.message_id`,
    serverId: "NULL::uuid",
    isHeard: isDirectHeard("m", "candidate.user_id"),
  }),
});

/** SQL of the time up to which a user has read a channel, of whichever kind; null for never. */
export const lastReadAt = (user: string, channel: string) =>
  `greatest((SELECT r.last_read_at FROM read_states r WHERE r.user_id = ${user} AND r.channel_id = ${channel}),
    (SELECT r.last_read_at FROM dm_read_states r WHERE r.user_id = ${user} AND r.channel_id = ${channel}))`;

/** Marks channels that a device got a push about, so that the dispatcher notifies the device that the user read them. */
export const readStatement = defineStatement({
  name: "push_channels_read",
  text: `UPDATE pushed_channels pushed SET read_due_at = now(), failures = 0
    FROM ${rowsOfArrays("uuid", "uuid")} AS reader (user_id, channel_id)
    JOIN push_subscriptions s ON s.user_id = reader.user_id
    WHERE pushed.subscription_id = s.id AND pushed.channel_id = reader.channel_id AND pushed.read_due_at IS NULL
      AND pushed.message_at <= ${lastReadAt("reader.user_id", "reader.channel_id")}`,
});

/** Somebody, and the direct message or channel that an event is about. */
export interface DirectCandidate {
  userId: string;
  messageId: string;
}
export interface Reader {
  userId: string;
  channelId: string;
}

/** Notes for which devices there is something to send. Each resolves with how many there are; none is noted twice. */
export type CandidateRows = ReturnType<typeof createCandidateRows>;

export function createCandidateRows({ database }: { database: Pick<Database, "execute"> }) {
  return {
    named: (messageIds: readonly string[]) => database.execute(namedStatement, [messageIds]),
    group: (messageId: string) => database.execute(groupStatement, [[messageId]]),
    everyone: (messageId: string) => database.execute(everyoneStatement, [[messageId]]),
    direct: (candidates: readonly DirectCandidate[]) =>
      database.execute(directStatement, columnsOf(candidates, "userId", "messageId")),
    read: (readers: readonly Reader[]) => database.execute(readStatement, columnsOf(readers, "userId", "channelId")),
  };
}
