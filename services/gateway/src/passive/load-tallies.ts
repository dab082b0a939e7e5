import {
  type Database,
  defineStatement,
  hasMentions,
  isInMentionedGroup,
  mentionsGroup,
  unreadCountedMax,
} from "@parley/database";
import { z } from "zod";
import { recentMessagesMax } from "../limits.js";
import { ChannelTally, type GroupMention } from "./channel-tally.js";

const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;

const Mentioning = z.array(
  z.object({
    id: z.string(),
    at: z.number(),
    by: z.string().nullable(),
    everyone: z.boolean(),
    named: z.array(z.string()),
    group: z.boolean(),
  }),
);

/**
 * The newest messages of channels: times and authors, the newest ids, and the messages with mentions. Text costs less
 * than rows on both sides.
 */
const messagesStatement = defineStatement({
  name: "gateway_channel_tallies",
  text: `
SELECT asked.id AS channel_id,
  coalesce((SELECT string_agg(concat_ws(' ', ${milliseconds("m.created_at")}, m.author_id), ',' ORDER BY m.created_at, m.id)
    FROM (SELECT id, created_at, author_id FROM messages WHERE channel_id = asked.id AND listed
      ORDER BY created_at DESC, id DESC LIMIT ${unreadCountedMax}) m), '') AS times,
  coalesce((SELECT string_agg(m.id::text, ',' ORDER BY m.created_at DESC, m.id DESC)
    FROM (SELECT id, created_at FROM messages WHERE channel_id = asked.id AND listed
      ORDER BY created_at DESC, id DESC LIMIT ${recentMessagesMax}) m), '') AS recent,
  coalesce((SELECT json_agg(json_build_object('id', m.id, 'at', ${milliseconds("m.created_at")}, 'by', m.author_id,
      'everyone', m.mention_everyone, 'named', m.mention_user_ids, 'group', ${mentionsGroup("m")}) ORDER BY m.created_at, m.id)
    FROM (SELECT id, created_at, author_id, mention_everyone, mention_user_ids, mention_here, mention_role_ids FROM messages
      WHERE channel_id = asked.id AND listed AND ${hasMentions}
      ORDER BY created_at DESC, id DESC LIMIT ${unreadCountedMax}) m), '[]') AS mentioning
FROM unnest((SELECT $1::uuid[])) AS asked (id)`,
  row: z.object({ channel_id: z.string(), times: z.string(), recent: z.string(), mentioning: Mentioning }),
});

/** Mentions of users by groups alone, the oldest first; the users are few of those whom a message mentions. */
const groupMentionsStatement = defineStatement({
  name: "gateway_group_mentions",
  text: `
SELECT asked.id AS channel_id,
  json_agg(json_build_array(u.id, ${milliseconds("m.created_at")}, m.author_id) ORDER BY m.created_at, m.id) AS mentions
FROM unnest((SELECT $1::uuid[])) AS asked (id)
CROSS JOIN LATERAL (
  SELECT * FROM messages WHERE channel_id = asked.id AND listed AND ${hasMentions} AND ${mentionsGroup("messages")}
  ORDER BY created_at DESC, id DESC LIMIT ${unreadCountedMax}) m
CROSS JOIN LATERAL (
  SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
  WHERE NOT m.mention_everyone AND NOT wanted.id = ANY (m.mention_user_ids) AND ${isInMentionedGroup("m", "wanted.id")}) u
GROUP BY asked.id`,
  row: z.object({
    channel_id: z.string(),
    mentions: z.array(z.tuple([z.string(), z.number(), z.string().nullable()])),
  }),
});

const marksStatement = defineStatement({
  name: "gateway_read_marks",
  text: `
SELECT channel_id, string_agg(user_id || ' ' || ${milliseconds("last_read_at")}, ',') AS marks FROM read_states
WHERE channel_id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[])
GROUP BY channel_id`,
  row: z.object({ channel_id: z.string(), marks: z.string() }),
});

const joinedStatement = defineStatement({
  name: "gateway_joined_at",
  text: `
SELECT string_agg(user_id || ' ' || ${milliseconds("joined_at")}, ',') AS joined FROM members
WHERE server_id = $1 AND user_id = ANY ($2::uuid[])
HAVING count(*) > 0`,
  row: z.object({ joined: z.string() }),
});

const blocksStatement = defineStatement({
  name: "gateway_blocks_of_authors",
  text: `
SELECT blocked_id, string_agg(blocker_id::text, ',') AS blockers FROM user_blocks
WHERE blocked_id = ANY ($1::uuid[])
GROUP BY blocked_id`,
  row: z.object({ blocked_id: z.string(), blockers: z.string() }),
});

const recentChannelsStatement = defineStatement({
  name: "gateway_recent_channels",
  text: `
SELECT c.id FROM channels c
CROSS JOIN LATERAL (
  SELECT created_at FROM messages WHERE channel_id = c.id AND listed ORDER BY created_at DESC, id DESC LIMIT 1
) newest
WHERE c.server_id = $1 AND newest.created_at > to_timestamp($2::bigint)`,
  row: z.object({ id: z.string() }),
});

/** Loads the data that the counts of unread messages consist of. Every function rejects when its statement fails. */
export function createTallyLoader({ database }: { database: Pick<Database, "query"> }) {
  return {
    /** The tallies of channels, also of those without messages. */
    async tallies(channelIds: readonly string[]): Promise<Map<string, ChannelTally>> {
      const rows = await database.query(messagesStatement, [channelIds]);
      return new Map(rows.map((row) => [row.channel_id, tallyOf(row)]));
    },
    /** When users read the channels, by channel and user; of a channel that somebody has never read they are missing. */
    async marks(channelIds: readonly string[], userIds: readonly string[]): Promise<Map<string, Map<string, number>>> {
      if (channelIds.length === 0 || userIds.length === 0) return new Map();
      const rows = await database.query(marksStatement, [channelIds, userIds]);
      return new Map(rows.map(({ channel_id, marks }) => [channel_id, timesOf(marks)]));
    },
    /** By channel: the messages that mention users by a role or as connected, and not by name or with everyone. */
    async groupMentions(
      channelIds: readonly string[],
      userIds: readonly string[],
    ): Promise<Map<string, GroupMention[]>> {
      if (channelIds.length === 0 || userIds.length === 0) return new Map();
      const rows = await database.query(groupMentionsStatement, [channelIds, userIds]);
      return new Map(
        rows.map(({ channel_id, mentions }) => [
          channel_id,
          mentions.map(([userId, at, authorId]) => ({ userId, at, authorId })),
        ]),
      );
    },
    /** When users joined a server; users without a membership are missing. */
    async joined(serverId: string, userIds: readonly string[]): Promise<Map<string, number>> {
      const [row] = await database.query(joinedStatement, [serverId, userIds]);
      return row === undefined ? new Map() : timesOf(row.joined);
    },
    /** The users who have blocked each of the authors; every author has an entry. */
    async blockers(authorIds: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
      if (authorIds.length === 0) return new Map();
      const rows = await database.query(blocksStatement, [authorIds]);
      return new Map(rows.map(({ blocked_id, blockers }) => [blocked_id, new Set(blockers.split(","))]));
    },
    /** The channels of a server that have a message since a time, in seconds since 1970. */
    async recentChannels(serverId: string, since: number): Promise<string[]> {
      return (await database.query(recentChannelsStatement, [serverId, since])).map(({ id }) => id);
    },
  };
}

export type TallyLoader = ReturnType<typeof createTallyLoader>;

function tallyOf({
  times,
  recent,
  mentioning,
}: {
  times: string;
  recent: string;
  mentioning: z.infer<typeof Mentioning>;
}) {
  return new ChannelTally({
    times: (times === "" ? [] : times.split(",")).map((message) => {
      const [at, authorId] = message.split(" ");
      return [Number(at), authorId ?? null];
    }),
    recent: recent === "" ? [] : recent.split(","),
    mentioning: mentioning.map(({ id, at, by, everyone, named, group }) => ({
      id,
      at,
      authorId: by,
      mentionsEveryone: everyone,
      mentionsGroup: group,
      mentioned: named,
    })),
  });
}

/** Reads pairs of an id and milliseconds since 1970. */
function timesOf(text: string): Map<string, number> {
  return new Map(
    text.split(",").map((pair) => {
      const [id = "", at] = pair.split(" ");
      return [id, Number(at)];
    }),
  );
}
