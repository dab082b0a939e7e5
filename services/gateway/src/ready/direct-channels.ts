import { directUnreadCount, jsonTime, withUserMarks } from "@parley/database";
import { readyDmChannelsMax } from "../limits.js";

/** The direct messages in READY. */
export interface DirectPart {
  /** Elements of a JSON array. */
  dmChannels: string;
  /** Elements of a JSON array. */
  dmUnread: string;
}

/** SQL for the columns of a user as READY shows them. */
export const userColumns = (user: string, email: string, isAdmin: string) => `
  ${user}.id, ${user}.username, ${email} AS email, ${user}.avatar_url, ${user}.bio, ${user}.pronouns, ${user}.status,
  ${user}.custom_status, ${user}.activity, ${jsonTime(`${user}.created_at`)} AS created_at, ${isAdmin} AS is_admin`;

/** The user `other` as JSON text. */
const recipient = withUserMarks(
  `SELECT row_to_json(r) FROM (SELECT ${userColumns("other", "NULL::text", "false")}) r`,
  "other.id",
);

const newestFirst = "last_message_at DESC NULLS LAST, created_at DESC, id DESC";

/**
 * The candidates for the newest DM channels of a user: of each half of the pairs the newest {@link readyDmChannelsMax}
 * that have messages and the newest that have none. Each of the four is read from an index in its order, which has
 * nulls first.
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

/** SQL for the newest channels of two of the user `u`. */
const ownPairs = `
      SELECT d.*, coalesce((
        SELECT last_read_at FROM dm_read_states WHERE user_id = u.id AND channel_id = d.id
      ), d.created_at) AS mark
      FROM (${dmCandidates} ORDER BY ${newestFirst} LIMIT ${readyDmChannelsMax}) d`;

/** SQL for the newest groups of the user `u`; a user has few. */
const ownGroups = `
      SELECT d.id, d.created_at, d.last_message_at, d.name, d.icon_url, greatest(own.joined_at, (
        SELECT last_read_at FROM dm_read_states WHERE user_id = u.id AND channel_id = d.id
      )) AS mark
      FROM dm_group_members own
      CROSS JOIN LATERAL (SELECT * FROM dm_channels WHERE id = own.channel_id OFFSET 0) d
      WHERE own.user_id = u.id
      ORDER BY ${newestFirst}
      LIMIT ${readyDmChannelsMax}`;

/** SQL for a user as JSON text. */
const personOf = (userId: string) =>
  `(SELECT ${recipient} FROM (SELECT * FROM users WHERE id = ${userId} OFFSET 0) other)`;

/** The fields of a channel `d` of two, as JSON text with a comma before each. */
const pairFields = `',"recipient":' || ${personOf("d.recipient_id")}`;

const jsonText = (text: string) => `coalesce(to_json(${text})::text, 'null')`;

/** The same of a group `d` as the user `u` sees it (docs/protocol/conversations.md#28.2). */
const groupFields = `(
        SELECT concat(
          ',"type":"group","recipient":', coalesce((array_agg(p.json ORDER BY p.position) FILTER (WHERE p.id <> u.id))[1], ${personOf("u.id")}),
          ',"recipients":[', string_agg(p.json, ',' ORDER BY p.position) FILTER (WHERE p.id <> u.id),
          '],"name":', ${jsonText("d.name")},
          ',"owner_id":"', (array_agg(p.id ORDER BY p.position))[1], '","icon_url":', ${jsonText("d.icon_url")})
        FROM (
          SELECT user_id AS id, position, CASE WHEN user_id <> u.id THEN ${personOf("user_id")} END AS json
          FROM dm_group_members WHERE channel_id = d.id
          OFFSET 0
        ) p
      )`;

const milliseconds = (instant: string) => `(extract(epoch FROM ${instant}) * 1000)::bigint`;

/** A line per channel: id, unread messages, times of creation and of the last message, fields. */
const linesOf = (channels: string, fields: string) => `coalesce((
      SELECT string_agg(concat_ws(' ', d.id, ${directUnreadCount({ channel: "d.id", mark: "d.mark", user: "u.id" })},
        ${milliseconds("d.created_at")}, coalesce(${milliseconds("d.last_message_at")}::text, '${never}'), ${fields}), E'\\n')
      FROM (${channels}) d
    ), '')`;

const never = "-";

/**
 * SQL for two columns of the user `u`: their newest channels of two and their newest groups, as text in any order. The
 * gateway puts both together, because that would take as long again here.
 */
export const directColumns = `${linesOf(ownPairs, pairFields)} AS pairs, ${linesOf(ownGroups, groupFields)} AS groups`;

interface DirectChannel {
  id: string;
  unread: string;
  createdAt: number;
  /** 0 before the first message. */
  lastMessageAt: number;
  json: string;
}

/** Reads a user's direct messages, without groups and with them; null for a user without any. */
export function readDirect({ pairs, groups }: { pairs: string; groups: string }) {
  const pairChannels = channelsOf(pairs);
  const groupChannels = channelsOf(groups);
  const all = groupChannels.length === 0 ? null : [...pairChannels, ...groupChannels].sort(compareNewestFirst);
  return {
    ...partOf(pairChannels),
    withGroups: all === null ? null : partOf(all.slice(0, readyDmChannelsMax)),
  };
}

function channelsOf(lines: string): DirectChannel[] {
  return lines === "" ? [] : lines.split("\n").map(channelOf).sort(compareNewestFirst);
}

function channelOf(line: string): DirectChannel {
  const [id = "", unread = "", created = "", last = ""] = line.split(" ", 4);
  const fields = line.slice(id.length + unread.length + created.length + last.length + 4);
  const createdAt = Number(created);
  const lastMessageAt = last === never ? 0 : Number(last);
  const lastText = last === never ? "null" : `"${new Date(lastMessageAt).toISOString()}"`;
  const times = `"created_at":"${new Date(createdAt).toISOString()}","last_message_at":${lastText}`;
  return { id, unread, createdAt, lastMessageAt, json: `{"id":"${id}"${fields},${times}}` };
}

function compareNewestFirst(a: DirectChannel, b: DirectChannel): number {
  return b.lastMessageAt - a.lastMessageAt || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

function partOf(channels: readonly DirectChannel[]): DirectPart {
  const unread = channels.filter(({ unread }) => unread !== "0");
  return {
    dmChannels: channels.map(({ json }) => json).join(),
    dmUnread: unread.map(({ id, unread }) => `{"channel_id":"${id}","unread_count":${unread}}`).join(),
  };
}
