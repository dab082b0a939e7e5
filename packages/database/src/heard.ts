import { isInMentionedGroup } from "./group-mentions.js";

/** SQL of whether settings of a server or channel mute it. */
const isMuted = (settings: string) => `coalesce(${settings}.muted_until > now(), false)`;

const targetOf = (kind: string, user: string, id: string) =>
  `LEFT JOIN notification_targets ${kind} ON ${kind}.user_id = ${user} AND ${kind}.kind = '${kind}' AND ${kind}.target_id = ${id}`;

/**
 * SQL: whether a message of a server's channel mentions a user for their own settings (docs/protocol/notifications.md#26.1): by name, by a
 * role, by answering a message of theirs, or with everyone or those who are connected, unless they leave that out.
 */
const mentions = (message: string, user: string) =>
  `(${user} = ANY (${message}.mention_user_ids) OR ${message}.mention_everyone AND NOT coalesce(server.suppress_everyone, false)
    OR ${isInMentionedGroup(message, user, true)}
    OR NOT coalesce(server.suppress_everyone, false) AND ${isInMentionedGroup(message, user, false)}
    OR EXISTS (SELECT FROM messages answered WHERE answered.id = ${message}.reply_to AND answered.author_id = ${user}))`;

/**
 * SQL: whether a user's settings notify them of a message of a server's channel (docs/protocol/notifications.md#26.1).
 * The caller checks quiet hours: PostgreSQL and Node.js know different time zones.
 *
 * @param message alias of a row of `messages`, or of a row with its columns; not `account`, `server`, `channel`,
 * `thread`, `answered`
 * @param user SQL of the user's id
 */
export const isHeard = (message: string, user: string) =>
  `(SELECT NOT ${isMuted("server")} AND NOT ${isMuted("channel")}
      AND CASE coalesce(thread.level, channel.level, server.level, account.level, 'mentions')
        WHEN 'all' THEN true
        WHEN 'mentions' THEN ${mentions(message, user)}
        ELSE false END
    FROM (SELECT) AS nothing
    LEFT JOIN notification_settings account ON account.user_id = ${user}
    ${targetOf("server", user, `${message}.server_id`)}
    ${targetOf("channel", user, `${message}.channel_id`)}
    ${targetOf("thread", user, `${message}.thread_id`)})`;

/** The same for a direct message: users hear all of them unless the channel's settings say otherwise. */
export const isDirectHeard = (message: string, user: string) =>
  `(SELECT NOT ${isMuted("channel")}
      AND CASE coalesce(channel.level, 'all')
        WHEN 'all' THEN true
        WHEN 'mentions' THEN EXISTS (
          SELECT FROM dm_messages answered WHERE answered.id = ${message}.reply_to AND answered.author_id = ${user})
        ELSE false END
    FROM (SELECT) AS nothing
    ${targetOf("channel", user, `${message}.channel_id`)})`;
