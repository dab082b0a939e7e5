import { defineStatement, jsonTime, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { findEmojis } from "../../community/emojis/repository.js";
import { findInForce } from "../../community/invites/repository.js";
import { findOnboarding } from "../../community/onboarding/repository.js";
import { findServerOverrides } from "../../community/overrides/repository.js";
import { findEveryone } from "../../community/roles/repository.js";
import { messageColumns, messageRow } from "../../conversations/messages/repository.js";
import { findRules } from "../../rules/automod-rules/repository.js";
import { exportPageMax } from "./limits.js";

const exportedReactions = z.array(z.object({ emoji: z.string(), people: z.array(z.string()) }));
const exportedPoll = z.object({
  id: z.string(),
  question: z.string(),
  options: z.array(z.object({ id: z.string(), text: z.string(), votes: z.int(), voters: z.array(z.string()) })),
  total_votes: z.int(),
  multiple: z.int().optional(),
  ends_at: z.string().optional(),
});
const exportedAttachment = z.object({
  id: z.string(),
  message_id: z.string(),
  upload_id: z.string().nullable(),
  filename: z.string(),
  stored_name: z.string(),
  file_size: z.int(),
  mime_type: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  forwarded: z.boolean(),
});
export type ExportedAttachment = z.infer<typeof exportedAttachment>;

const attachmentColumns = `a.id, a.message_id, a.upload_id, a.filename, a.stored_name, a.file_size, a.mime_type, a.width, a.height, a.forwarded`;

/** As in history, with replies, and the deleted roots of threads whose replies live on. */
const pageStatement = defineStatement({
  name: "export_whole_page",
  text: `SELECT ${messageColumns},
      coalesce((SELECT json_agg(json_build_object('emoji', r.emoji, 'people', r.people) ORDER BY r.first, r.emoji)
        FROM (SELECT emoji, min(created_at) AS first, json_agg(user_id ORDER BY created_at, user_id) AS people
          FROM reactions WHERE message_id = m.id GROUP BY emoji) AS r), '[]') AS reactions,
      coalesce((SELECT json_agg(a ORDER BY a.id)
        FROM (SELECT ${attachmentColumns} FROM attachments a WHERE a.message_id = m.id) AS a), '[]') AS attachments,
      (SELECT json_build_object('id', p.id, 'question', p.question,
          'options', json_agg(json_build_object('id', o.id, 'text', o.text, 'votes', json_array_length(o.voters), 'voters', o.voters)
            ORDER BY o.position),
          'total_votes', (SELECT count(*) FROM poll_votes v WHERE v.poll_id = p.id))::jsonb
          || jsonb_strip_nulls(jsonb_build_object('multiple', p.multiple, 'ends_at', ${jsonTime("p.ends_at")}))
        FROM polls p CROSS JOIN LATERAL (
          SELECT o.id, o.text, o.position,
            (SELECT coalesce(json_agg(v.user_id ORDER BY v.user_id), '[]') FROM poll_votes v
              WHERE v.poll_id = o.poll_id AND (v.option_id = o.id OR o.id = ANY (v.also))) AS voters
          FROM poll_options o WHERE o.poll_id = p.id) AS o
        WHERE p.message_id = m.id GROUP BY p.id) AS poll,
      (SELECT json_agg(i.user_id ORDER BY i.user_id) FROM scheduled_events e JOIN event_interests i ON i.event_id = e.id
        WHERE e.message_id = m.id) AS interested,
      (SELECT json_build_object('title', t.title, 'closed', t.closed) FROM threads t
        WHERE t.root_id = m.id AND (t.title IS NOT NULL OR t.closed)) AS thread
    FROM (
      (SELECT id FROM messages
        WHERE channel_id = $1 AND listed AND (created_at, id) > (uuid_extract_timestamp($2), $2) AND created_at <= $3
        ORDER BY created_at, id LIMIT ${exportPageMax})
      UNION ALL
      (SELECT id FROM messages
        WHERE channel_id = $1 AND NOT listed AND (created_at, id) > (uuid_extract_timestamp($2), $2) AND created_at <= $3
          AND (NOT deleted OR thread_reply_count > 0)
        ORDER BY created_at, id LIMIT ${exportPageMax})) AS page
    JOIN messages m ON m.id = page.id
    ORDER BY m.created_at, m.id LIMIT ${exportPageMax}`,
  row: messageRow.extend({
    reactions: exportedReactions,
    attachments: z.array(exportedAttachment),
    poll: exportedPoll.nullable(),
    interested: z.array(z.string()).nullable(),
    thread: z.object({ title: z.string().nullable(), closed: z.boolean() }).nullable(),
  }),
});

const attachmentStatement = defineStatement({
  name: "export_attachments",
  text: `SELECT ${attachmentColumns} FROM attachments a WHERE a.message_id = ANY($1::uuid[]) ORDER BY a.message_id, a.id`,
  row: exportedAttachment,
});

const peopleStatement = defineStatement({
  name: "export_people",
  text: `SELECT u.id, u.username, coalesce(m.nickname, p.name, u.display_name, u.username) AS name,
      coalesce(p.is_bot, u.is_webhook OR EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)) AS is_bot,
      ARRAY(SELECT r.id FROM roles r WHERE r.server_id = $1 AND (
        EXISTS (SELECT FROM member_roles h WHERE h.server_id = $1 AND h.user_id = u.id AND h.role_id = r.id)
        OR EXISTS (SELECT FROM import_people w WHERE r.id = ANY (w.role_ids) AND (w.id = u.id OR w.claimed_by = u.id)))
        ORDER BY r.position DESC, r.id) AS roles, u.created_at
    FROM users u LEFT JOIN members m ON m.server_id = $1 AND m.user_id = u.id LEFT JOIN import_people p ON p.id = u.id
    WHERE u.id = ANY($2::uuid[]) ORDER BY u.id`,
  row: z.object({
    id: z.string(),
    username: z.string(),
    name: z.string(),
    is_bot: z.boolean(),
    roles: z.array(z.string()),
    created_at: z.date().transform((time) => time.toISOString()),
  }),
});

/** People of the archives that were imported into a server alone, whom nobody has claimed. */
const importedStatement = defineStatement({
  name: "export_imported_people",
  text: `SELECT p.id FROM import_people p
    WHERE p.claimed_by IS NULL AND p.id > $2 AND p.workspace IN (
      SELECT s.workspace FROM import_items s WHERE s.kind = 'server' AND s.workspace IN (
        SELECT i.workspace FROM import_items i WHERE i.import_id IN (SELECT id FROM imports) AND i.kind = 'server' AND i.target_id = $1)
      GROUP BY s.workspace HAVING count(*) = 1)
    ORDER BY p.id LIMIT ${exportPageMax}`,
  row: (row: RawRow) => String(row.id),
});

/** What a whole export has beside the structure of every export; to be read in the same transaction. */
export async function findWholeStructure(transaction: Transaction, serverId: string) {
  return {
    everyone: await findEveryone(transaction, serverId),
    overrides: await findServerOverrides(transaction, serverId),
    emojis: await findEmojis(transaction, serverId),
    invites: await findInForce(transaction, serverId),
    rules: await findRules(transaction, serverId),
    onboarding: await findOnboarding(transaction, serverId),
  };
}

/** The next messages of a channel after one with all that hangs on them, of those that were sent by a time. */
export function findWholePage(connection: Queryable, page: { channelId: string; after: string; until: Date }) {
  return connection.query(pageStatement, [page.channelId, page.after, page.until]);
}
export type WholeMessageRow = Awaited<ReturnType<typeof findWholePage>>[number];

/** The files of messages, at most a page of them, in the order of upload. */
export function findExportedAttachments(connection: Queryable, messageIds: readonly string[]) {
  return connection.query(attachmentStatement, [messageIds]);
}

/** The next people of archives after one, whom nothing else of a server may name. */
export function findImportedPeople(connection: Queryable, serverId: string, after: string): Promise<string[]> {
  return connection.query(importedStatement, [serverId, after]);
}

/** Accounts, at most a page of them, with the names that they have in a server. */
export function findPeople(connection: Queryable, serverId: string, ids: readonly string[]) {
  return connection.query(peopleStatement, [serverId, ids]);
}
