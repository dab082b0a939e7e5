import {
  defineStatement,
  isByBlocked,
  isInMentionedGroup,
  jsonTime,
  mentionCount,
  type RawRow,
  rowsOfArrays,
  unreadCount,
} from "@parley/database";
import { z } from "zod";
import { readyDmChannelsMax } from "../limits.js";
import { type DirectPart, directColumns, readDirect, userColumns } from "./direct-channels.js";

/** The part of READY that is specific to one user; the rest is the {@link ServerStructure} of their servers. */
export interface ReadyRow extends DirectPart {
  userId: string;
  /** JSON object. */
  account: string;
  /** Server id → version of its structure; oldest server first. */
  servers: Map<string, string>;
  /** Ids of the user's roles in all servers. */
  roles: string[];
  /** Channel id → count, above 0; channels that the user may not view are included. */
  unread: Map<string, string>;
  mentions: Map<string, string>;
  /** Channel id → entries of `thread_unreads` as JSON, of channels that the user may not view, too. */
  threads: Map<string, string[]>;
  /** The same with groups among the channels; null for a user without groups. */
  withGroups: DirectPart | null;
}

const Row = z.object({
  user_id: z.string(),
  account: z.string(),
  servers: z.string(),
  roles: z.string(),
  unread: z.string(),
  mentions: z.string(),
  threads: z.string(),
  pairs: z.string(),
  groups: z.string(),
});

/**
 * SQL of the threads that the user `u` follows, with unread replies (docs/protocol/messages.md#33.2): thread, channel, how many, and
 * how many of them mention the user. Only threads with a reply after the mark are counted.
 */
const threadColumn = `coalesce((
      SELECT string_agg(concat_ws(' ', t.root_id, t.channel_id, counted.unread, counted.mentions), ',')
      FROM (SELECT target_id, coalesce(read_at, set_at) AS mark FROM notification_targets
        WHERE user_id = u.id AND kind = 'thread' AND level <> 'nothing' OFFSET 0) target
      CROSS JOIN LATERAL (
        SELECT t.root_id, t.channel_id FROM threads t
        WHERE t.root_id = target.target_id AND t.last_reply_at > target.mark OFFSET 0) t
      CROSS JOIN LATERAL (SELECT FROM messages root WHERE root.id = t.root_id AND NOT root.deleted OFFSET 0) root
      CROSS JOIN LATERAL (
        SELECT count(*) AS unread, count(*) FILTER (WHERE (reply.mention_everyone OR u.id = ANY (reply.mention_user_ids)
            OR ${isInMentionedGroup("reply", "u.id")})
          AND NOT ${isByBlocked("u.id", "reply.author_id")}) AS mentions
        FROM messages reply
        WHERE reply.thread_id = t.root_id AND NOT reply.deleted AND reply.created_at > target.mark
          AND reply.author_id IS DISTINCT FROM u.id) counted
      WHERE counted.unread > 0
    ), '')`;

/**
 * The per-user parts of READY (docs/protocol/connecting.md#14.4) for several users, as of one snapshot. A user that
 * does not exist has no row. Of direct messages it reads no more than the newest {@link readyDmChannelsMax} channels
 * and their counts (docs/protocol/limits.md#16.3).
 *
 * Lists come as text, the two parts of an element separated by a blank: reading it costs a fraction of arrays and JSON
 * on either side. Counts read nothing but the indexes made for them, and of each channel no more than the newest 10,000
 * messages (docs/protocol/messages.md#7.8). OFFSET 0 keeps the look-ups by id apart from the rest of the query: without
 * it the planner prefers to read whole tables as long as it takes them for small; OFFSET 0 around the mentions lets
 * them be counted once, not once more for the condition.
 */
export const readyStatement = defineStatement({
  name: "gateway_ready",
  text: `
SELECT /* READY */ u.id::text AS user_id,
  (SELECT concat(left(row_to_json(r)::text, -1), ',"display_name":' || to_json(u.display_name)::text,
      ',"status_expires_at":"' || ${jsonTime("u.status_expires_at")} || '"',
      ',"dms_from":"' || u.dms_from || '"', '}')
    FROM (SELECT ${userColumns("u", "u.email", "(u.is_admin OR u.admin_by_setting)")}) r) AS account,
  own.*
FROM ${rowsOfArrays("uuid")} AS asked (user_id)
CROSS JOIN LATERAL (SELECT * FROM users WHERE id = asked.user_id OFFSET 0) u
CROSS JOIN LATERAL (
  WITH memberships AS MATERIALIZED (
    SELECT s.id, s.structure_version, s.created_at, m.joined_at
    FROM members m
    CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = m.server_id OFFSET 0) s
    WHERE m.user_id = u.id
  ), unread AS MATERIALIZED (
    SELECT c.id, c.mark, ${unreadCount({ channel: "c.id", mark: "c.mark", user: "u.id" })} AS count
    FROM (
      SELECT c.id, greatest(read.last_read_at, m.joined_at) AS mark
      FROM memberships m
      CROSS JOIN LATERAL (SELECT id FROM channels WHERE server_id = m.id OFFSET 0) c
      LEFT JOIN (SELECT channel_id, last_read_at FROM read_states WHERE user_id = u.id OFFSET 0) read
        ON read.channel_id = c.id
    ) c
  )
  SELECT
    coalesce((
      SELECT string_agg(m.id || ' ' || m.structure_version, ',' ORDER BY m.created_at, m.id) FROM memberships m
    ), '') AS servers,
    coalesce((
      SELECT string_agg(r.role_id::text, ',')
      FROM memberships m JOIN member_roles r ON r.server_id = m.id AND r.user_id = u.id
    ), '') AS roles,
    coalesce((SELECT string_agg(c.id || ' ' || c.count, ',') FROM unread c WHERE c.count > 0), '') AS unread,
    coalesce((
      SELECT string_agg(c.id || ' ' || c.mentions, ',')
      FROM (
        SELECT c.id, ${mentionCount({ channel: "c.id", mark: "c.mark", user: "u.id" })} AS mentions
        FROM unread c WHERE c.count > 0 OFFSET 0
      ) c
      WHERE c.mentions > 0
    ), '') AS mentions,
    ${threadColumn} AS threads,
    ${directColumns}
) own`,
  row: readyRow,
});

function readyRow(raw: RawRow): ReadyRow {
  const row = Row.parse(raw);
  return {
    userId: row.user_id,
    account: row.account,
    servers: new Map(pairsOf(row.servers)),
    roles: row.roles === "" ? [] : row.roles.split(","),
    unread: new Map(pairsOf(row.unread)),
    mentions: new Map(pairsOf(row.mentions)),
    threads: threadsOf(row.threads),
    ...readDirect(row),
  };
}

/** The entries of followed threads by channel. */
function threadsOf(text: string): Map<string, string[]> {
  const threads = new Map<string, string[]>();
  if (text === "") return threads;
  for (const line of text.split(",")) {
    const [thread, channel = "", unread, mentions] = line.split(" ");
    const json = `{"thread_id":"${thread}","channel_id":"${channel}","unread_count":${unread},"mention_count":${mentions}}`;
    threads.set(channel, [...(threads.get(channel) ?? []), json]);
  }
  return threads;
}

/** Splits pairs of an id and a value. */
function pairsOf(text: string): (readonly [id: string, value: string])[] {
  if (text === "") return [];
  return text.split(",").map((pair) => [pair.slice(0, uuidLength), pair.slice(uuidLength + 1)] as const);
}

const uuidLength = 36;
