import { defineStatement, jsonTime, type Statement } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { notificationsOf } from "../../notices/notifications/repository.js";

/** Rows that are read at a time, so that an account with a million messages takes no more memory than another one. */
const exportPageMax = 500;

/** Before the id of every row: ids are UUIDv7. */
const firstId = "00000000-0000-7000-8000-000000000000";

const jsonRow = z.object({ id: z.string(), json: z.string() });
type JsonRow = z.infer<typeof jsonRow>;

/** Columns of instants, in the interface's form. */
const times = (prefix: string, ...columns: string[]) =>
  columns.map((column) => `${jsonTime(`${prefix}${column}`)} AS ${column}`).join(", ");

/** Rows as JSON that PostgreSQL writes. */
const exported = (name: string, select: string): Statement<JsonRow> =>
  defineStatement({
    name: `account_export_${name}`,
    text: `SELECT r.id, row_to_json(r)::text AS json FROM (${select}) r`,
    row: jsonRow,
  });

const accountStatement = exported(
  "account",
  `SELECT id, username, display_name, email, avatar_url, bio, pronouns, status, custom_status, status_expires_at, activity, dms_from,
      ${times("", "email_verified_at", "created_at")}, ${notificationsOf("$1")} AS notifications
    FROM users WHERE id = $1`,
);

/** Lists in the order of the document: those of the account `$1` after the id `$2`, at most `$3`, in the order of ids. */
const lists = {
  sessions: exported(
    "sessions",
    `SELECT id, family_id AS session_id, user_agent, ${times("", "created_at", "expires_at")} FROM refresh_sessions
      WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ),
  servers: exported(
    "servers",
    `SELECT s.id, s.name, s.owner_id = $1 AS owned, m.nickname, ${times("m.", "joined_at")}
      FROM members m JOIN servers s ON s.id = m.server_id WHERE m.user_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
  ),
  bots: exported(
    "bots",
    `SELECT id, user_id, name, description, ${times("", "created_at", "revoked_at")} FROM bots
      WHERE created_by = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ),
  friends: exported(
    "friends",
    `SELECT u.id, u.username, f.accepted_at IS NOT NULL AS accepted, f.requested_by = $1 AS requested,
        ${times("f.", "created_at", "accepted_at")}
      FROM friendships f JOIN users u ON u.id = CASE WHEN f.user_low = $1 THEN f.user_high ELSE f.user_low END
      WHERE (f.user_low = $1 OR f.user_high = $1) AND u.id > $2 ORDER BY u.id LIMIT $3`,
  ),
  blocks: exported(
    "blocks",
    `SELECT u.id, u.username, ${times("b.", "created_at")} FROM user_blocks b JOIN users u ON u.id = b.blocked_id
      WHERE b.blocker_id = $1 AND u.id > $2 ORDER BY u.id LIMIT $3`,
  ),
  groups: exported(
    "groups",
    `SELECT d.id, d.name, ${times("g.", "joined_at")} FROM dm_group_members g JOIN dm_channels d ON d.id = g.channel_id
      WHERE g.user_id = $1 AND d.id > $2 ORDER BY d.id LIMIT $3`,
  ),
  // Without the keys that pushes are sent with.
  push_subscriptions: exported(
    "push_subscriptions",
    `SELECT id, label, ${times("", "created_at", "last_used_at")} FROM push_subscriptions
      WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ),
  passkeys: exported(
    "passkeys",
    `SELECT id, name, backed_up, ${times("", "created_at", "last_used_at")} FROM passkeys
      WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ),
  // Deleted messages have no content any more.
  messages: exported(
    "messages",
    `SELECT m.id, m.server_id, m.channel_id, m.content, m.reply_to, m.thread_id, ${times("m.", "created_at", "edited_at")},
        (SELECT coalesce(json_agg(json_build_object('filename', a.filename, 'file_size', a.file_size) ORDER BY a.id), '[]')
          FROM attachments a WHERE a.message_id = m.id) AS attachments
      FROM messages m
      WHERE m.author_id = $1 AND (m.created_at, m.id) > (uuid_extract_timestamp($2::uuid), $2::uuid) AND NOT m.deleted
      ORDER BY m.created_at, m.id LIMIT $3`,
  ),
  direct_messages: exported(
    "direct_messages",
    `SELECT m.id, m.channel_id, CASE WHEN c.user_low = $1 THEN c.user_high ELSE c.user_low END AS recipient_id,
        m.content, m.reply_to, ${times("m.", "created_at", "edited_at")},
        (SELECT coalesce(json_agg(json_build_object('filename', a.filename, 'file_size', a.file_size) ORDER BY a.id), '[]')
          FROM dm_attachments a WHERE a.message_id = m.id) AS attachments
      FROM dm_messages m JOIN dm_channels c ON c.id = m.channel_id
      WHERE m.author_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3`,
  ),
} as const;

/** The JSON text of everything that an account wrote and that is kept of it, a page of rows at a time. */
export async function* exportAccount(database: Database, userId: string): AsyncGenerator<string> {
  const [account] = await database.query(accountStatement, [userId]);
  yield `{"account":${account?.json ?? "null"}`;
  for (const [name, statement] of Object.entries(lists)) {
    yield `,"${name}":[`;
    let after = firstId;
    for (let separator = ""; ; separator = ",") {
      const rows = await database.query(statement, [userId, after, exportPageMax]);
      const last = rows.at(-1);
      if (last !== undefined) yield separator + rows.map(({ json }) => json).join(",");
      if (last === undefined || rows.length < exportPageMax) break;
      after = last.id;
    }
    yield "]";
  }
  yield "}\n";
}

/**
 * Sets another password.
 *
 * @returns false when the account's sessions have ended since, so that the checked password may be its former one
 */
export async function changePassword(
  { prisma }: Transaction,
  { id, session_version }: { id: string; session_version: number },
  password_hash: string,
): Promise<boolean> {
  return (await prisma.user.updateMany({ where: { id, session_version }, data: { password_hash } })).count > 0;
}
