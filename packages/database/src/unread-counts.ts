import { isInMentionedGroup } from "./group-mentions.js";
import { isByBlocked } from "./may-message.js";

/** Messages after a user's mark that are looked at to count those unread in a channel (docs/protocol/messages.md#7.8). */
export const unreadCountedMax = 10_000;

/** SQL expressions: the id of a channel, a user's mark in it, and the user's id. */
interface Place {
  channel: string;
  mark: string;
  user: string;
}

const countOf = (which: string, messages: string) =>
  `(SELECT count(*) FILTER (WHERE x.author_id IS DISTINCT FROM ${which}) FROM (${messages} LIMIT ${unreadCountedMax}) x)`;

/**
 * So many are read before all are counted. For a few rows the planner takes the index with any statistics; where few
 * channels have nearly all messages, it expects as many in each, and reads the table once per channel to count them.
 */
const fewMessages = 16;

/** SQL for the number of a channel's messages that a user has not read. Reads no more than an index. */
export function unreadCount({ channel, mark, user }: Place): string {
  const unread = `SELECT author_id FROM messages WHERE channel_id = ${channel} AND listed AND created_at > ${mark}
      ORDER BY created_at DESC, id DESC`;
  return `(SELECT CASE WHEN count(*) < ${fewMessages} THEN count(*) FILTER (WHERE few.author_id IS DISTINCT FROM ${user})
      ELSE ${countOf(user, unread)} END FROM (${unread} LIMIT ${fewMessages}) few)`;
}

/** SQL of the predicate of `messages_mentions_idx`: whether a message mentions anybody. */
export const hasMentions = `(mention_everyone OR mention_user_ids <> ARRAY[]::uuid[]
  OR mention_here OR mention_role_ids <> ARRAY[]::uuid[])`;

/** The same for those of them that mention the user, and are not by somebody whom they have blocked. */
export const mentionCount = ({ channel, mark, user }: Place) =>
  countOf(
    `${user} AND (x.mention_everyone OR ${user} = ANY (x.mention_user_ids) OR ${isInMentionedGroup("x", user)})
      AND NOT ${isByBlocked(user, "x.author_id")}`,
    `SELECT id, author_id, mention_everyone, mention_user_ids, mention_here, mention_role_ids FROM messages
      WHERE channel_id = ${channel} AND listed AND created_at > ${mark} AND ${hasMentions}
      ORDER BY created_at DESC`,
  );

/** The same as {@link unreadCount} for a channel of direct messages. */
export const directUnreadCount = ({ channel, mark, user }: Place) =>
  countOf(
    user,
    `SELECT author_id FROM dm_messages WHERE channel_id = ${channel} AND created_at > ${mark}
      ORDER BY created_at DESC, id DESC`,
  );
