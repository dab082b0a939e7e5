import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** Rows of one statement. */
const batchMax = 500;

const fileRow = z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() });

/** Nobody has changed, pinned or unpinned it, reacted to it, voted in it, is interested in it, has answered it or claimed its author. */
const untouched = `hashtextextended(m.content, 0) = b.digest
  AND (m.author_id IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = m.author_id AND u.imported))
  AND NOT EXISTS (SELECT FROM reactions r JOIN users u ON u.id = r.user_id WHERE r.message_id = m.id AND NOT u.imported)
  AND (b.pinned IS NULL OR b.pinned = m.pinned)
  AND NOT EXISTS (
    SELECT FROM polls p JOIN poll_votes v ON v.poll_id = p.id JOIN users u ON u.id = v.user_id
    WHERE p.message_id = m.id AND NOT u.imported)
  AND NOT EXISTS (
    SELECT FROM scheduled_events e JOIN event_interests n ON n.event_id = e.id JOIN users u ON u.id = n.user_id
    WHERE e.message_id = m.id AND NOT u.imported)
  AND NOT EXISTS (SELECT FROM messages r WHERE r.thread_id = m.id)
  AND NOT EXISTS (SELECT FROM messages r WHERE r.reply_to = m.id AND NOT EXISTS (
    SELECT FROM import_items i WHERE i.import_id = $1 AND i.kind = 'message' AND i.target_id = r.id))`;

/** The statement sees attachments as they were before it. */
const messagesStatement = defineStatement({
  name: "import_undo_messages",
  text: `WITH b AS MATERIALIZED (
      SELECT workspace, external_id, target_id, digest, pinned FROM import_items
      WHERE import_id = $1 AND kind = 'message' AND target_id > $2 ORDER BY target_id LIMIT ${batchMax}),
    gone AS (
      DELETE FROM messages m USING b WHERE m.id = b.target_id AND (m.thread_id IS NOT NULL) = $3 AND ${untouched}
      RETURNING m.id, m.thread_id),
    items AS (
      DELETE FROM import_items i USING b JOIN gone ON gone.id = b.target_id
      WHERE i.workspace = b.workspace AND i.kind = 'message' AND i.external_id = b.external_id),
    roots AS (
      UPDATE messages m SET thread_reply_count = greatest(m.thread_reply_count - replies.count, 0)
      FROM (SELECT thread_id, count(*)::integer AS count FROM gone WHERE thread_id IS NOT NULL GROUP BY thread_id) replies
      WHERE m.id = replies.thread_id)
    SELECT (SELECT max(target_id::text) FROM b) AS last,
      coalesce((
        SELECT json_agg(json_build_object('message_id', a.message_id, 'stored_name', a.stored_name, 'upload_id', a.upload_id))
        FROM attachments a JOIN gone ON gone.id = a.message_id), '[]') AS files`,
  row: z.object({ last: z.string().nullable(), files: z.array(fileRow) }),
});

/** Removes untouched messages behind one, replies or others. @returns the last one that was looked at, and files */
export async function undoMessages(
  connection: Queryable,
  importId: string,
  { after, replies }: { after: string; replies: boolean },
) {
  const [row] = await connection.query(messagesStatement, [importId, after, replies]);
  return row ?? { last: null, files: [] };
}

const ofServer = z.object({ id: z.string(), server_id: z.string() });
const emptyChannelsStatement = defineStatement({
  name: "import_undo_channels",
  text: `SELECT c.id, c.server_id FROM import_items i JOIN channels c ON c.id = i.target_id
    WHERE i.import_id = $1 AND i.kind = 'channel' AND NOT EXISTS (SELECT FROM messages m WHERE m.channel_id = c.id)`,
  row: ofServer,
});
const rolesStatement = defineStatement({
  name: "import_undo_roles",
  text: `SELECT r.id, r.server_id FROM import_items i JOIN roles r ON r.id = i.target_id
    WHERE i.import_id = $1 AND i.kind = 'role' AND NOT EXISTS (SELECT FROM member_roles m WHERE m.role_id = r.id)`,
  row: ofServer,
});
const emojisStatement = defineStatement({
  name: "import_undo_emojis",
  text: `SELECT e.id, e.server_id FROM import_items i JOIN custom_emojis e ON e.id = i.target_id
    WHERE i.import_id = $1 AND i.kind = 'emoji'`,
  row: ofServer,
});
const serversStatement = defineStatement({
  name: "import_undo_servers",
  text: `SELECT s.id, s.owner_id FROM import_items i JOIN servers s ON s.id = i.target_id
    WHERE i.import_id = $1 AND i.kind = 'server' AND i.digest = 0 AND s.member_count <= 1
      AND NOT EXISTS (SELECT FROM channels c WHERE c.server_id = s.id)`,
  row: z.object({ id: z.string(), owner_id: z.string() }),
});
const peopleStatement = defineStatement({
  name: "import_undo_people",
  text: `DELETE FROM users WHERE id IN (
    SELECT p.id FROM import_items i JOIN import_people p ON p.id = i.target_id
    WHERE i.import_id = $1 AND i.kind = 'person' AND p.claimed_by IS NULL
      AND NOT EXISTS (SELECT FROM messages m WHERE m.author_id = p.id)
      AND NOT EXISTS (SELECT FROM reactions r WHERE r.user_id = p.id) LIMIT ${batchMax})`,
});
const moderationStatements = [
  `DELETE FROM bans b USING import_items i WHERE i.import_id = $1 AND i.kind = 'ban' AND b.user_id = i.target_id
    AND b.server_id IN (SELECT s.target_id FROM import_items s WHERE s.workspace = i.workspace AND s.kind = 'server')`,
  `DELETE FROM invites v USING import_items i WHERE i.import_id = $1 AND i.kind = 'invite' AND v.id = i.target_id`,
  `WITH gone AS (
      DELETE FROM automod_rules r USING import_items i
      WHERE i.import_id = $1 AND i.kind = 'automod_rule' AND r.id = i.target_id RETURNING r.server_id)
    UPDATE servers s SET automod_rules_version = automod_rules_version + 1,
      automod_rule_types = ARRAY(
        SELECT DISTINCT r.trigger ->> 'type' FROM automod_rules r
        WHERE r.server_id = s.id AND r.enabled
          AND r.id NOT IN (SELECT i.target_id FROM import_items i WHERE i.import_id = $1 AND i.kind = 'automod_rule')
        ORDER BY 1)
    WHERE s.id IN (SELECT server_id FROM gone)`,
].map((text, index) => defineStatement({ name: `import_undo_moderation_${index}`, text }));
const itemsStatement = defineStatement({
  name: "import_undo_items",
  text: `DELETE FROM import_items i WHERE i.import_id = $1 AND (
    i.kind IN ('ban', 'invite', 'automod_rule')
    OR (i.kind = 'person' AND NOT EXISTS (SELECT FROM users u WHERE u.id = i.target_id))
    OR (i.kind = 'channel' AND NOT EXISTS (SELECT FROM channels c WHERE c.id = i.target_id))
    OR (i.kind = 'role' AND NOT EXISTS (SELECT FROM roles r WHERE r.id = i.target_id))
    OR (i.kind = 'emoji' AND NOT EXISTS (SELECT FROM custom_emojis e WHERE e.id = i.target_id))
    OR (i.kind = 'server' AND (i.digest = 1 OR NOT EXISTS (SELECT FROM servers s WHERE s.id = i.target_id))))`,
});
const isEmptyStatement = defineStatement({
  name: "import_channel_is_empty",
  text: "SELECT NOT EXISTS (SELECT FROM messages WHERE channel_id = $1) AS empty",
  row: (row: RawRow) => row.empty === true,
});

export const findEmptyChannels = (connection: Queryable, importId: string) =>
  connection.query(emptyChannelsStatement, [importId]);
export const findUnusedRoles = (connection: Queryable, importId: string) =>
  connection.query(rolesStatement, [importId]);
export const findMadeEmojis = (connection: Queryable, importId: string) =>
  connection.query(emojisStatement, [importId]);
export const findEmptyServers = (connection: Queryable, importId: string) =>
  connection.query(serversStatement, [importId]);

/** Whether a channel has no messages, also none from since it was found. */
export async function isEmptyChannel(transaction: Transaction, channelId: string): Promise<boolean> {
  const [empty] = await transaction.query(isEmptyStatement, [channelId]);
  return empty === true;
}

/** Removes people of whom nothing is left and whom nobody has claimed. */
export async function undoPeople(connection: Queryable, importId: string): Promise<void> {
  while ((await connection.execute(peopleStatement, [importId])) > 0);
}

/** Removes the bans, invites and rules of an import. */
export async function undoModeration(transaction: Transaction, importId: string): Promise<void> {
  for (const statement of moderationStatements) await transaction.execute(statement, [importId]);
}

/** Forgets what the things that are gone were made of. */
export async function forgetUndone(transaction: Transaction, importId: string): Promise<void> {
  await transaction.execute(itemsStatement, [importId]);
}
