import {
  defineStatement,
  directUnreadCount,
  jsonTime,
  mentionCount,
  type RawRow,
  rowsOfArrays,
  unreadCount,
  withBotMark,
} from "@parley/database";
import { z } from "zod";
import { readyDmChannelsMax } from "../limits.js";

/** The part of READY that is specific to one user; the rest is the {@link ServerStructure} of their servers. */
export interface ReadyRow {
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
  /** Elements of a JSON array. */
  dmChannels: string;
  /** Elements of a JSON array. */
  dmUnread: string;
  /** The same two with groups among the channels; null for a user who is in none. */
  withGroups: { dmChannels: string; dmUnread: string } | null;
}

const Row = z.object({
  user_id: z.string(),
  account: z.string(),
  servers: z.string(),
  roles: z.string(),
  unread: z.string(),
  mentions: z.string(),
  dm_channels: z.string(),
  dm_unread: z.string(),
  all_channels: z.string().nullable(),
  all_unread: z.string().nullable(),
});

const userColumns = (user: string, email: string, isAdmin: string) => `
  ${user}.id, ${user}.username, ${email} AS email, ${user}.avatar_url, ${user}.bio, ${user}.pronouns, ${user}.status,
  ${user}.custom_status, ${user}.activity, ${jsonTime(`${user}.created_at`)} AS created_at, ${isAdmin} AS is_admin`;

const recipient = withBotMark(
  `SELECT row_to_json(r) FROM (SELECT ${userColumns("other", "NULL::text", "false")}) r`,
  "other.id",
);

const dmOrder = "d.last_message_at DESC NULLS LAST, d.created_at DESC, d.id DESC";

/**
 * What the newest DM channels of a user are among: of each half of the pairs the newest {@link readyDmChannelsMax} that
 * have messages and the newest that have none. Each of the four is read from an index in its order, which has nulls
 * first.
 */
const dmCandidates = (["user_low", "user_high"] as const)
  .flatMap((own) =>
    ["NOT NULL", "NULL"].map(
      (used) => `(
          SELECT id, created_at, last_message_at, ${own === "user_low" ? "user_high" : "user_low"} AS recipient_id
          FROM dm_channels WHERE ${own} = u.id AND last_message_at IS ${used}
          ORDER BY last_message_at DESC, created_at DESC, id DESC LIMIT ${readyDmChannelsMax}
        )`,
    ),
  )
  .join(" UNION ALL ");

/** Groups that the user is in, of which there are few, the newest of them. */
const ownGroups = `
    SELECT g.*, ${directUnreadCount({ channel: "g.id", mark: "g.mark", user: "u.id" })} AS count
    FROM (
      SELECT d.id, d.created_at, d.last_message_at, d.name, d.icon_url, greatest(own.joined_at, (
        SELECT last_read_at FROM dm_read_states WHERE user_id = u.id AND channel_id = d.id
      )) AS mark
      FROM dm_group_members own
      CROSS JOIN LATERAL (SELECT * FROM dm_channels WHERE id = own.channel_id OFFSET 0) d
      WHERE own.user_id = u.id
      ORDER BY ${dmOrder}
      LIMIT ${readyDmChannelsMax}
    ) g`;

/** The channel `d` of two as JSON text. */
const pairObject = `(
        SELECT row_to_json(r)::text
        FROM (
          SELECT d.id, (${recipient})::json AS recipient,
            ${jsonTime("d.created_at")} AS created_at, ${jsonTime("d.last_message_at")} AS last_message_at
          FROM (SELECT * FROM users WHERE id = d.recipient_id OFFSET 0) other
        ) r)`;

const unreadOf = (table: string) => `coalesce((
      SELECT string_agg('{"channel_id":"' || d.id || '","unread_count":' || d.count || '}', ',' ORDER BY ${dmOrder})
      FROM ${table} d WHERE d.count > 0
    ), '')`;

/** A group `d` as the user sees it, as JSON text (docs/interface.md#28.2). */
const groupObject = `(
        SELECT row_to_json(r)::text
        FROM (
          SELECT d.id, 'group' AS type,
            coalesce((array_agg((${recipient})::json ORDER BY person.position) FILTER (WHERE other.id <> u.id))[1],
              (array_agg((${recipient})::json))[1]) AS recipient,
            coalesce(json_agg((${recipient})::json ORDER BY person.position) FILTER (WHERE other.id <> u.id), '[]') AS recipients,
            d.name, (array_agg(person.user_id ORDER BY person.position))[1] AS owner_id, d.icon_url,
            ${jsonTime("d.created_at")} AS created_at, ${jsonTime("d.last_message_at")} AS last_message_at
          FROM dm_group_members person
          CROSS JOIN LATERAL (SELECT * FROM users WHERE id = person.user_id OFFSET 0) other
          WHERE person.channel_id = d.id
        ) r)`;

/**
 * The per-user parts of READY (docs/interface.md#14.4) for several users, as of one snapshot. A user that does not
 * exist has no row. Of direct messages it reads no more than the newest {@link readyDmChannelsMax} channels and their
 * counts (docs/interface.md#16.3).
 *
 * Lists come as text, the two parts of an element separated by a blank: to read it costs a fraction of what arrays and
 * JSON cost on either side. Counts read nothing but the indexes made for them, and of each channel no more than the
 * newest 10,000 messages (docs/interface.md#7.8). OFFSET 0 keeps the look-ups by id apart from the
 * rest of the query: without it the planner prefers to read whole tables as long as it takes them for small. For the
 * same reason a channel's newest message is looked up before its messages are counted: where few channels have nearly
 * all messages, the planner expects as many in each, and reads the table once per channel to count them.
 */
export const readyStatement = defineStatement({
  name: "gateway_ready",
  text: `
SELECT /* READY */ u.id::text AS user_id,
  (SELECT concat(left(row_to_json(r)::text, -1), ',"dms_from":"' || u.dms_from || '"', '}')
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
      SELECT c.id, coalesce(read.last_read_at, m.joined_at) AS mark
      FROM memberships m
      CROSS JOIN LATERAL (SELECT id FROM channels WHERE server_id = m.id OFFSET 0) c
      LEFT JOIN (SELECT channel_id, last_read_at FROM read_states WHERE user_id = u.id OFFSET 0) read
        ON read.channel_id = c.id
    ) c
    CROSS JOIN LATERAL (
      SELECT created_at FROM messages WHERE channel_id = c.id AND listed ORDER BY created_at DESC, id DESC LIMIT 1
    ) newest
    WHERE newest.created_at > c.mark
  ), dms AS MATERIALIZED (
    SELECT d.*, ${directUnreadCount({ channel: "d.id", mark: "d.mark", user: "u.id" })} AS count
    FROM (
      SELECT d.id, d.created_at, d.last_message_at, d.recipient_id, coalesce((
        SELECT last_read_at FROM dm_read_states WHERE user_id = u.id AND channel_id = d.id
      ), d.created_at) AS mark
      FROM (
        ${dmCandidates}
        ORDER BY last_message_at DESC NULLS LAST, created_at DESC, id DESC
        LIMIT ${readyDmChannelsMax}
      ) d
    ) d
  ), groups AS MATERIALIZED (${ownGroups}
  ), direct AS MATERIALIZED (
    SELECT d.id, d.created_at, d.last_message_at, d.count, d.recipient_id, NULL AS name, NULL AS icon_url FROM dms d
    WHERE EXISTS (SELECT FROM groups)
    UNION ALL
    SELECT d.id, d.created_at, d.last_message_at, d.count, NULL, d.name, d.icon_url FROM groups d
    ORDER BY last_message_at DESC NULLS LAST, created_at DESC, id DESC
    LIMIT ${readyDmChannelsMax}
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
        FROM unread c WHERE c.count > 0
      ) c
      WHERE c.mentions > 0
    ), '') AS mentions,
    coalesce((
      SELECT string_agg(${pairObject}, ',' ORDER BY ${dmOrder}) FROM dms d
    ), '') AS dm_channels,
    ${unreadOf("dms")} AS dm_unread,
    (
      SELECT string_agg(CASE WHEN d.recipient_id IS NULL THEN ${groupObject} ELSE ${pairObject} END, ',' ORDER BY ${dmOrder})
      FROM direct d
    ) AS all_channels,
    ${unreadOf("direct")} AS all_unread
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
    dmChannels: row.dm_channels,
    dmUnread: row.dm_unread,
    withGroups: row.all_channels === null ? null : { dmChannels: row.all_channels, dmUnread: row.all_unread ?? "" },
  };
}

/** Splits pairs of an id and a value. */
function pairsOf(text: string): (readonly [id: string, value: string])[] {
  if (text === "") return [];
  return text.split(",").map((pair) => [pair.slice(0, uuidLength), pair.slice(uuidLength + 1)] as const);
}

const uuidLength = 36;
