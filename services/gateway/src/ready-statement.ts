import { permissionBits } from "@parley/contracts";
import { defineStatement } from "@parley/database";

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Whether a bit is set in an override's `allow` or `deny`. */
const hasView = (column: string) => `${column} & ${permissionBits.VIEW_CHANNEL} <> 0`;

/** JSON objects of a query's rows, in its order, as a JSON array without blanks. */
const list = (query: string) =>
  `'[' || coalesce((SELECT string_agg(row_to_json(r)::text, ',') FROM (${query}) r), '') || ']'`;

/** A JSON object without blanks from rows of (key, value as text). */
const record = (query: string) =>
  `'{' || coalesce((SELECT string_agg(to_json(e.key)::text || ':' || e.value, ',') FROM (${query}) e), '') || '}'`;

const userColumns = (user: string, email: string, isAdmin: string) => `
  ${user}.id, ${user}.username, ${email} AS email, ${user}.avatar_url, ${user}.bio, ${user}.pronouns, ${user}.status,
  ${user}.custom_status, ${user}.activity, ${time(`${user}.created_at`)} AS created_at, ${isAdmin} AS is_admin`;

const dmOrder = "d.last_message_at DESC NULLS LAST, d.created_at DESC, d.id DESC";
const channelOrder = "c.server_created_at, c.server_id, c.position, c.id";

/**
 * The payload of READY as JSON text (contract.md 14.4), built by PostgreSQL in one statement. No row: no such user.
 *
 * Counts read nothing but the indexes made for them. OFFSET 0 keeps the look-ups by id apart from the rest of the query:
 * without it the planner prefers to read whole tables as long as it takes them for small.
 */
export const readyStatement = defineStatement({
  name: "gateway_ready",
  text: `
WITH memberships AS MATERIALIZED (
  SELECT s.id, s.name, s.owner_id, s.icon_url, s.is_public, s.created_at, s.updated_at, m.joined_at, held.roles,
    s.owner_id = $1 OR held.is_administrator AS views_all
  FROM members m
  CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = m.server_id OFFSET 0) s
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(r.id), ARRAY[]::uuid[]) AS roles,
      coalesce(bool_or(r.permissions & ${permissionBits.ADMINISTRATOR} <> 0), false) AS is_administrator
    FROM member_roles mr JOIN roles r ON r.id = mr.role_id
    WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id
  ) held
  WHERE m.user_id = $1
), places AS MATERIALIZED (
  SELECT c.id, c.position, m.id AS server_id, m.created_at AS server_created_at, m.joined_at, m.roles, m.views_all
  FROM memberships m
  CROSS JOIN LATERAL (SELECT id, position FROM channels WHERE server_id = m.id OFFSET 0) c
), rules AS MATERIALIZED (
  SELECT p.id,
    string_agg(row_to_json(o)::text, ',' ORDER BY o.role_id IS NULL, o.id) AS overrides,
    bool_or(o.user_id = $1 AND ${hasView("o.allow")}) AS is_allowed,
    bool_or(o.user_id = $1 AND ${hasView("o.deny")}) AS is_denied,
    bool_or(o.role_id = ANY (p.roles) AND ${hasView("o.allow")}) AS has_allowed_role,
    bool_or(o.role_id = ANY (p.roles) AND ${hasView("o.deny")}) AS has_denied_role
  FROM places p
  CROSS JOIN LATERAL (
    SELECT id, channel_id, role_id, user_id, allow, deny FROM channel_overrides WHERE channel_id = p.id OFFSET 0
  ) o
  GROUP BY p.id
), viewable AS MATERIALIZED (
  SELECT p.id, p.position, p.server_id, p.server_created_at, o.overrides,
    coalesce(read.last_read_at, p.joined_at) AS mark
  FROM places p
  LEFT JOIN rules o ON o.id = p.id
  LEFT JOIN (SELECT channel_id, last_read_at FROM read_states WHERE user_id = $1 OFFSET 0) read
    ON read.channel_id = p.id
  WHERE p.views_all OR CASE
    WHEN o.is_allowed THEN true
    WHEN o.is_denied THEN false
    WHEN o.has_allowed_role THEN true
    WHEN o.has_denied_role THEN false
    ELSE true
  END
), unread AS MATERIALIZED (
  SELECT v.*, (
    SELECT count(*) FROM messages x
    WHERE x.channel_id = v.id AND x.listed AND x.created_at > v.mark AND x.author_id IS DISTINCT FROM $1
  ) AS count
  FROM viewable v
), dms AS MATERIALIZED (
  SELECT d.*, (
    SELECT count(*) FROM dm_messages x
    WHERE x.channel_id = d.id AND x.created_at > d.mark AND x.author_id IS DISTINCT FROM $1
  ) AS count
  FROM (
    SELECT d.id, d.created_at, d.last_message_at, d.recipient_id, coalesce(read.last_read_at, d.created_at) AS mark
    FROM (
      SELECT id, created_at, last_message_at, user_high AS recipient_id FROM dm_channels WHERE user_low = $1
      UNION ALL
      SELECT id, created_at, last_message_at, user_low FROM dm_channels WHERE user_high = $1
    ) d
    LEFT JOIN dm_read_states read ON read.user_id = $1 AND read.channel_id = d.id
  ) d
)
SELECT '{"user":' || (SELECT row_to_json(r)::text FROM (SELECT ${userColumns("u", "u.email", "u.is_admin")}) r)
  || ',"servers":' || ${list(`
    SELECT m.id, m.name, m.owner_id, m.icon_url, m.is_public, ${time("m.created_at")} AS created_at,
      ${time("m.updated_at")} AS updated_at
    FROM memberships m ORDER BY m.created_at, m.id`)}
  || ',"dm_channels":' || ${list(`
    SELECT d.id, (SELECT row_to_json(r) FROM (SELECT ${userColumns("other", "NULL::text", "false")}) r) AS recipient,
      ${time("d.created_at")} AS created_at, ${time("d.last_message_at")} AS last_message_at
    FROM dms d CROSS JOIN LATERAL (SELECT * FROM users WHERE id = d.recipient_id OFFSET 0) other ORDER BY ${dmOrder}`)}
  || ',"unread_counts":' || ${list(`
    (SELECT c.id AS channel_id, c.count AS unread_count FROM unread c WHERE c.count > 0 ORDER BY ${channelOrder})
    UNION ALL
    (SELECT d.id, d.count FROM dms d WHERE d.count > 0 ORDER BY ${dmOrder})`)}
  || ',"mention_counts":' || ${list(`
    SELECT c.id AS channel_id, c.mentions AS count
    FROM (
      SELECT c.*, (
        SELECT count(*) FROM messages x
        WHERE x.channel_id = c.id AND x.listed AND x.created_at > c.mark AND x.author_id IS DISTINCT FROM $1
          AND (x.mention_everyone OR x.mention_user_ids <> ARRAY[]::uuid[])
          AND (x.mention_everyone OR $1 = ANY (x.mention_user_ids))
      ) AS mentions
      FROM unread c WHERE c.count > 0
    ) c
    WHERE c.mentions > 0 ORDER BY ${channelOrder}`)}
  || ',"server_roles":' || ${record(`
    SELECT m.id AS key, ${list(`
      SELECT o.id, o.server_id, o.name, o.permissions, o.color, o.position, ${time("o.created_at")} AS created_at
      FROM roles o WHERE o.server_id = m.id ORDER BY o.position DESC, o.created_at, o.id`)} AS value
    FROM memberships m ORDER BY m.created_at, m.id`)}
  || ',"channel_overrides":' || ${record(`
    SELECT c.id AS key, '[' || c.overrides || ']' AS value
    FROM viewable c WHERE c.overrides IS NOT NULL ORDER BY ${channelOrder}`)}
  || '}' AS ready
FROM users u WHERE u.id = $1`,
  row: (row) => String(row.ready),
});
