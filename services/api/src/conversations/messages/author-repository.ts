import { sessionInForce } from "@parley/auth";
import { MessageAuthor } from "@parley/contracts";
import { defineStatement, rowsOfArrays, withUserMarks } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import {
  type AutomodRulesSettings,
  automodColumn,
  automodRulesColumn,
  automodRulesSettings,
  automodSettings,
} from "@parley/moderation";
import { accessColumns, accessRow } from "@parley/permissions";
import { z } from "zod";
import { safetyColumn, writerSafety } from "../../access/safety-repository.js";
import { nonceMessageColumn } from "../../platform/nonces/repository.js";
import { automodEvidence } from "../../rules/automod/evidence.js";
import { automodEvidenceColumn } from "../../rules/automod/repository.js";
import { type MentionCandidates, textOfRoles } from "../../rules/mentions/mentions.js";
import type { MessageDraft } from "./draft.js";

/**
 * SQL for the version of an author: the versions (xmin) of the rows of their membership and timeout, as text. It differs
 * after every change of these rows. The statement that stores a message or an edit compares it with the value read when
 * the author's right was checked, so that nothing of an author is stored after the answer to their removal or timeout.
 * Roles and overrides are not compared: their versions would add a quarter to the execution time of the statement that
 * stores messages, these two add 2 to 5 %.
 *
 * @param sql expressions of the server's and the author's id
 */
export const authorVersion = ({ serverId, userId }: { serverId: string; userId: string }) => `concat(
    (SELECT v.xmin FROM members v WHERE v.server_id = ${serverId} AND v.user_id = ${userId}), ' ',
    (SELECT v.xmin FROM timeouts v WHERE v.server_id = ${serverId} AND v.user_id = ${userId}))`;

/**
 * SQL for the object of an author `u` beside their message (docs/protocol/events.md#23.4).
 *
 * @param nickname SQL of the nickname in the server of the message
 */
export const authorObject = (nickname: string) =>
  `(${withUserMarks(
    `json_build_object('id', u.id, 'username', u.username, 'nickname', ${nickname}, 'avatar_url', u.avatar_url)`,
    "u.id",
  )})::json`;

/** The same for the account of an incoming webhook (docs/protocol/webhooks.md#25.5). */
export const webhookAuthor = `json_build_object('id', u.id, 'username', u.username, 'nickname', NULL,
    'avatar_url', u.avatar_url, 'is_webhook', true)`;

/**
 * SQL for the author of a message, null when the account is gone.
 *
 * @param sql expressions of the server's and the author's id
 */
export const authorOf = ({ serverId, userId }: { serverId: string; userId: string }) => `(
    SELECT CASE WHEN u.is_webhook THEN ${webhookAuthor} ELSE ${authorObject("n.nickname")} END FROM users u LEFT JOIN members n ON n.server_id = ${serverId} AND n.user_id = u.id
    WHERE u.id = ${userId})`;

/**
 * Columns for the checks of a new or edited message, resolved by `resolveAuthor`. The statement must have the
 * server as `s` and its auto-moderation as `a`.
 *
 * @param sql expressions of the server, the author, the names that the text may mention (a JSON array as text), and the text, null
 * where it mentions no role
 */
export const authorColumns = (sql: { serverId: string; userId: string; usernames: string; text: string }) => `EXISTS (
    SELECT 1 FROM timeouts t
    WHERE t.server_id = ${sql.serverId} AND t.user_id = ${sql.userId} AND t.expires_at > now()
      AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
  ${authorVersion(sql)} AS author_version,
  ${automodColumn},
  ${automodRulesColumn},
  CASE WHEN ${sql.usernames} = '[]' THEN '[]' ELSE coalesce((
    SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
    FROM jsonb_array_elements_text(${sql.usernames}::jsonb) AS wanted (username)
    JOIN users u ON u.username = wanted.username
    JOIN members mm ON mm.user_id = u.id AND mm.server_id = ${sql.serverId}), '[]') END AS mentioned,
  CASE WHEN ${sql.text} IS NULL THEN '[]' ELSE coalesce((
    SELECT json_agg(json_build_object('id', r.id, 'name', r.name, 'mentionable', r.mentionable) ORDER BY r.position DESC, r.id)
    FROM roles r WHERE r.server_id = ${sql.serverId} AND position('@' || r.name IN ${sql.text}) > 0), '[]') END AS named_roles`;

/** Row shape of {@link authorColumns}. */
export const authorRow = z.object({
  timed_out: z.boolean(),
  author_version: z.string(),
  automod: automodSettings,
  automod_rules: automodRulesSettings,
  mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
  named_roles: z.array(z.object({ id: z.string(), name: z.string(), mentionable: z.boolean() })),
});

/** A draft without its content. */
export type DraftPlace = Omit<
  MessageDraft,
  "content" | "poll" | "event" | "interaction" | "files" | "embeds" | "components" | "mayEmbed" | "webhook"
>;

/**
 * How long the author of `q` has to wait in the channel `c` by its slow mode; null where it has none. Deleted messages
 * count. The author's messages of the time are looked at, newest first, whatever channel they are in.
 */
const slowModeColumn = `CASE WHEN c.slow_mode_seconds > 0 THEN coalesce((
    SELECT ceil(extract(epoch FROM r.created_at - now()) * 1000)::integer + c.slow_mode_seconds * 1000 FROM messages r
    WHERE r.author_id = q.user_id AND r.channel_id = c.id
      AND r.created_at > now() - make_interval(secs => c.slow_mode_seconds)
    ORDER BY r.created_at DESC LIMIT 1), 0) END AS slow_mode_wait_ms`;

/**
 * One row per draft, in their order; its columns are null if the channel does not exist, the user is no member, or the session is
 * not in force.
 */
const sendContextStatement = defineStatement({
  name: "message_send_context",
  text: `SELECT context.*
    FROM ${rowsOfArrays("uuid", "uuid", "uuid", "uuid", "text", "text", "integer", "uuid", "text")} WITH ORDINALITY
      AS q (channel_id, user_id, reply_to, thread_id, usernames, nonce, session_version, session_id, text, position)
    LEFT JOIN LATERAL (
      SELECT c.server_id, ${accessColumns("q.user_id")},
        ${authorColumns({ serverId: "c.server_id", userId: "q.user_id", usernames: "q.usernames", text: "q.text" })},
        ${automodEvidenceColumn},
        c.slow_mode_seconds, ${slowModeColumn},
        ${safetyColumn("m.user_id")},
        (SELECT ${authorObject("m.nickname")} FROM users u WHERE u.id = q.user_id) AS author,
        (SELECT coalesce(r.author_id::text, '') FROM messages r
          WHERE r.id = q.reply_to AND r.channel_id = c.id AND NOT r.deleted) AS answered_author_id,
        (SELECT CASE WHEN r.thread_id IS NOT NULL THEN 'reply'
            WHEN EXISTS (SELECT FROM threads t WHERE t.root_id = r.id AND t.closed) THEN 'closed' ELSE 'open' END
          FROM messages r WHERE r.id = q.thread_id AND r.channel_id = c.id AND NOT r.deleted) AS root_state,
        ${nonceMessageColumn({ authorId: "q.user_id", channelId: "c.id", nonce: "q.nonce" })}
      FROM channels c
      JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = c.server_id AND m.user_id = q.user_id
      LEFT JOIN automod_configs a ON a.server_id = c.server_id
      WHERE c.id = q.channel_id
        AND ${sessionInForce({ userId: "q.user_id", version: "q.session_version", id: "q.session_id" })}) AS context ON true
    ORDER BY q.position`,
  row: z.union([
    accessRow.extend(authorRow.shape).extend({
      server_id: z.string(),
      automod_evidence: automodEvidence,
      slow_mode_seconds: z.int(),
      slow_mode_wait_ms: z.int().nullable(),
      safety: writerSafety.nullable(),
      author: MessageAuthor,
      /** Empty for a message without an author; null when there is no message to reply to. */
      answered_author_id: z.string().nullable(),
      /** Null without a root. */
      root_state: z.enum(["reply", "closed", "open"]).nullable(),
      nonce_message_id: z.string().nullable(),
    }),
    z.object({ server_id: z.null() }).transform(() => null),
  ]),
});

const editContextStatement = defineStatement({
  name: "message_edit_context",
  text: `SELECT ${authorColumns({ serverId: "s.id", userId: "$2", usernames: "$3::text", text: "$4::text" })}
    FROM servers s LEFT JOIN automod_configs a ON a.server_id = s.id
    WHERE s.id = $1`,
  row: authorRow,
});

const rulesStatement = defineStatement({
  name: "attachment_automod_rules",
  text: `SELECT ${automodRulesColumn} FROM servers s WHERE s.id = $1`,
  row: z.object({ automod_rules: automodRulesSettings }),
});

/** The data that decides about drafts, each with the mentions that its text may have, in their order. */
export function findSendContexts(
  connection: Queryable,
  drafts: readonly { place: DraftPlace; mentions: MentionCandidates }[],
) {
  return connection.query(sendContextStatement, [
    drafts.map(({ place }) => place.channelId),
    drafts.map(({ place }) => place.authorId),
    drafts.map(({ place }) => place.replyTo ?? null),
    drafts.map(({ place }) => place.threadId ?? null),
    drafts.map(({ mentions }) => JSON.stringify(mentions.usernames)),
    drafts.map(({ place }) => place.nonce ?? null),
    drafts.map(({ place }) => place.session?.version ?? null),
    drafts.map(({ place }) => place.session?.id ?? null),
    drafts.map(({ mentions }) => textOfRoles(mentions.content)),
  ]);
}

/** The data that decides about an edit; undefined when the server is gone. */
export async function findEditContext(
  connection: Queryable,
  { serverId, userId, mentions }: { serverId: string; userId: string; mentions: MentionCandidates },
) {
  const { usernames, content } = mentions;
  const values = [serverId, userId, JSON.stringify(usernames), textOfRoles(content)];
  const [row] = await connection.query(editContextStatement, values);
  return row;
}

/** The rules that a server has made; null without any. */
export async function findAutomodRules(connection: Queryable, serverId: string): Promise<AutomodRulesSettings> {
  const [row] = await connection.query(rulesStatement, [serverId]);
  return row?.automod_rules ?? null;
}
