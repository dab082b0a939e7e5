import { defineStatement } from "@parley/database";

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Who may view a channel (contract.md 3.2): VIEW_CHANNEL is bit 1, ADMINISTRATOR bit 8192. */
const mayView = `(
  m.rules_bypassed
  OR NOT EXISTS (SELECT FROM channel_overrides o WHERE o.channel_id = c.id AND o.deny & 1 = 1)
  OR coalesce(
    (SELECT CASE WHEN o.allow & 1 = 1 THEN true WHEN o.deny & 1 = 1 THEN false END
      FROM channel_overrides o WHERE o.channel_id = c.id AND o.user_id = $1),
    (SELECT CASE WHEN bool_or(o.allow & 1 = 1) THEN true WHEN bool_or(o.deny & 1 = 1) THEN false END
      FROM channel_overrides o
      JOIN member_roles r ON r.role_id = o.role_id AND r.server_id = m.server_id AND r.user_id = $1
      WHERE o.channel_id = c.id),
    true)
)`;

/**
 * The payload of READY as JSON text (contract.md 14.4), built by PostgreSQL in one statement. No row: no such user.
 *
 * A message's id says when it was created, so "after the mark" is a range of ids and the counts only read indexes.
 */
export const readyStatement = defineStatement({
  name: "gateway_ready",
  text: `
WITH memberships AS MATERIALIZED (
  SELECT s.id AS server_id, s.name, s.owner_id, s.icon_url, s.is_public, s.created_at, s.updated_at, m.joined_at,
    s.owner_id = $1 OR EXISTS (
      SELECT FROM member_roles mr JOIN roles r ON r.id = mr.role_id
      WHERE mr.server_id = s.id AND mr.user_id = $1 AND r.permissions & 8192 = 8192) AS rules_bypassed
  FROM members m JOIN servers s ON s.id = m.server_id
  WHERE m.user_id = $1
), viewable AS MATERIALIZED (
  SELECT c.id, m.created_at AS server_created_at, m.server_id, c.position,
    uuidv7_floor(coalesce(rs.last_read_at, m.joined_at) + interval '1 millisecond') AS unread_from
  FROM memberships m
  JOIN channels c ON c.server_id = m.server_id
  LEFT JOIN read_states rs ON rs.channel_id = c.id AND rs.user_id = $1
  WHERE ${mayView}
), dms AS MATERIALIZED (
  SELECT d.id, d.created_at, d.last_message_at,
    CASE WHEN d.user_low = $1 THEN d.user_high ELSE d.user_low END AS recipient_id,
    uuidv7_floor(coalesce(rs.last_read_at, d.created_at) + interval '1 millisecond') AS unread_from
  FROM (SELECT * FROM dm_channels WHERE user_low = $1 UNION ALL SELECT * FROM dm_channels WHERE user_high = $1) d
  LEFT JOIN dm_read_states rs ON rs.channel_id = d.id AND rs.user_id = $1
), unread AS MATERIALIZED (
  SELECT v.id, v.server_created_at, v.server_id, v.position, counted.unread, counted.mentions
  FROM viewable v
  CROSS JOIN LATERAL (
    SELECT
      (SELECT count(*) FROM messages x WHERE x.channel_id = v.id AND x.listed AND x.id >= v.unread_from
        AND x.author_id IS DISTINCT FROM $1) AS unread,
      (SELECT count(*) FROM messages x WHERE x.channel_id = v.id AND x.listed AND x.id >= v.unread_from
        AND (x.mention_everyone OR x.mention_user_ids <> ARRAY[]::uuid[])
        AND (x.mention_everyone OR $1 = ANY (x.mention_user_ids))
        AND x.author_id IS DISTINCT FROM $1) AS mentions
  ) counted
), unread_dms AS MATERIALIZED (
  SELECT d.id, d.last_message_at, d.created_at, counted.unread
  FROM dms d
  CROSS JOIN LATERAL (
    SELECT count(*) AS unread FROM dm_messages x
    WHERE x.channel_id = d.id AND x.id >= d.unread_from AND x.author_id IS DISTINCT FROM $1
  ) counted
)
SELECT json_build_object(
  'user', json_build_object(
    'id', u.id, 'username', u.username, 'email', u.email, 'avatar_url', u.avatar_url, 'bio', u.bio,
    'pronouns', u.pronouns, 'status', u.status, 'custom_status', u.custom_status, 'activity', u.activity,
    'created_at', ${time("u.created_at")}, 'is_admin', u.is_admin),
  'servers', coalesce((
    SELECT json_agg(json_build_object(
      'id', m.server_id, 'name', m.name, 'owner_id', m.owner_id, 'icon_url', m.icon_url, 'is_public', m.is_public,
      'created_at', ${time("m.created_at")}, 'updated_at', ${time("m.updated_at")})
      ORDER BY m.created_at, m.server_id)
    FROM memberships m), '[]'),
  'dm_channels', coalesce((
    SELECT json_agg(json_build_object(
      'id', d.id,
      'recipient', json_build_object(
        'id', r.id, 'username', r.username, 'email', NULL, 'avatar_url', r.avatar_url, 'bio', r.bio,
        'pronouns', r.pronouns, 'status', r.status, 'custom_status', r.custom_status, 'activity', r.activity,
        'created_at', ${time("r.created_at")}, 'is_admin', false),
      'created_at', ${time("d.created_at")}, 'last_message_at', ${time("d.last_message_at")})
      ORDER BY d.last_message_at DESC NULLS LAST, d.created_at DESC, d.id DESC)
    FROM dms d JOIN users r ON r.id = d.recipient_id), '[]'),
  'unread_counts', coalesce((
    SELECT json_agg(json_build_object('channel_id', e.id, 'unread_count', e.unread) ORDER BY e.place)
    FROM (
      SELECT n.id, n.unread, row_number() OVER (ORDER BY n.server_created_at, n.server_id, n.position, n.id) AS place
      FROM unread n WHERE n.unread > 0
      UNION ALL
      SELECT d.id, d.unread,
        1000000 + row_number() OVER (ORDER BY d.last_message_at DESC NULLS LAST, d.created_at DESC, d.id DESC)
      FROM unread_dms d WHERE d.unread > 0
    ) e), '[]'),
  'mention_counts', coalesce((
    SELECT json_agg(json_build_object('channel_id', n.id, 'count', n.mentions)
      ORDER BY n.server_created_at, n.server_id, n.position, n.id)
    FROM unread n WHERE n.mentions > 0), '[]'),
  'server_roles', coalesce((
    SELECT json_object_agg(m.server_id, coalesce((
      SELECT json_agg(json_build_object(
        'id', r.id, 'server_id', r.server_id, 'name', r.name, 'permissions', r.permissions, 'color', r.color,
        'position', r.position, 'created_at', ${time("r.created_at")})
        ORDER BY r.position DESC, r.created_at, r.id)
      FROM roles r WHERE r.server_id = m.server_id), '[]'))
    FROM memberships m), '{}'),
  'channel_overrides', coalesce((
    SELECT json_object_agg(o.channel_id, o.list)
    FROM (
      SELECT o.channel_id, json_agg(json_build_object(
        'id', o.id, 'channel_id', o.channel_id, 'role_id', o.role_id, 'user_id', o.user_id,
        'allow', o.allow, 'deny', o.deny)
        ORDER BY o.role_id IS NULL, o.id) AS list
      FROM channel_overrides o JOIN viewable v ON v.id = o.channel_id
      GROUP BY o.channel_id
    ) o), '{}')
)::text AS ready
FROM users u WHERE u.id = $1`,
  row: (row) => String(row.ready),
});
