/** The rows that a user is in: those with the last byte of their id. */
const bucketOf = (user: string) => `get_byte(uuid_send(${user}), 15)`;

/** SQL: whether `group_mentions` has users whom a message mentions by a role or by `@here`. */
export const mentionsGroup = (message: string) =>
  `(${message}.mention_here OR ${message}.mention_role_ids <> ARRAY[]::uuid[])`;

/**
 * SQL: whether a message mentions a user by a role or as connected, as of its storing (docs/protocol/messages.md#33.3).
 *
 * @param message alias of a row of `messages`, or of a row with its `id`, `mention_here` and `mention_role_ids`
 * @param user SQL of the user's id
 * @param byRole only by a role, or only as connected; absent for either
 */
export const isInMentionedGroup = (message: string, user: string, byRole?: boolean) =>
  `(${mentionsGroup(message)} AND EXISTS (SELECT FROM group_mentions g
    WHERE g.message_id = ${message}.id AND g.bucket = ${bucketOf(user)}
      AND ${user} = ANY (g.user_ids)${byRole === undefined ? "" : ` AND ${byRole ? "" : "NOT "}g.by_role`}))`;

/**
 * SQL that stores the users whom messages mention by groups: the holders of the roles and the connected members, as of now.
 *
 * @param messages SQL of rows with `id`, `server_id`, `mention_here` and `mention_role_ids`
 */
export const storeGroupMentions = (
  messages: string,
) => `INSERT INTO group_mentions (message_id, bucket, by_role, user_ids)
  SELECT id, ${bucketOf("user_id")}, by_role, array_agg(user_id) FROM (
    SELECT DISTINCT m.id, h.user_id, true AS by_role FROM ${messages} AS m
      CROSS JOIN LATERAL (
        SELECT user_id FROM member_roles WHERE role_id = ANY (m.mention_role_ids) AND server_id = m.server_id OFFSET 0) h
    UNION ALL
    SELECT m.id, c.user_id, false FROM ${messages} AS m
      CROSS JOIN LATERAL (
        SELECT mm.user_id FROM members mm JOIN users u ON u.id = mm.user_id AND u.connected
        WHERE mm.server_id = m.server_id OFFSET 0) c
      WHERE m.mention_here) AS mentioned
  GROUP BY id, ${bucketOf("user_id")}, by_role`;
