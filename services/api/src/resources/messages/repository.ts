import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { authorStanding } from "./author-columns.js";
import { type MessageRow, messageColumns, messageRow } from "./resource.js";

// Pages are ordered by (created_at, id), which is the same as the order of ids, so that the planner uses the index of
// the history. Ordered by id alone, it would choose the primary key and read all newer messages of other channels.
const latestStatement = defineStatement({
  name: "message_latest",
  text: `SELECT ${messageColumns} FROM messages m
    WHERE m.channel_id = $1 AND m.listed
    ORDER BY m.created_at DESC, m.id DESC LIMIT $2`,
  row: messageRow,
});

/** A cursor of another channel finds nothing (docs/interface.md#1.5). */
const beforeStatement = defineStatement({
  name: "message_before",
  text: `SELECT ${messageColumns} FROM messages m
    WHERE m.channel_id = $1 AND m.listed AND (m.created_at, m.id) < (uuid_extract_timestamp($3), $3)
      AND EXISTS (SELECT 1 FROM messages cursor WHERE cursor.id = $3 AND cursor.channel_id = $1)
    ORDER BY m.created_at DESC, m.id DESC LIMIT $2`,
  row: messageRow,
});

/** Ascending, so that the page begins right after the cursor. */
const afterStatement = defineStatement({
  name: "message_after",
  text: `SELECT ${messageColumns} FROM messages m
    WHERE m.channel_id = $1 AND m.listed AND (m.created_at, m.id) > (uuid_extract_timestamp($3), $3)
      AND EXISTS (SELECT 1 FROM messages cursor WHERE cursor.id = $3 AND cursor.channel_id = $1)
    ORDER BY m.created_at, m.id LIMIT $2`,
  row: messageRow,
});

const findStatement = defineStatement({
  name: "message_find",
  text: `SELECT ${messageColumns} FROM messages m WHERE m.id = $1`,
  row: messageRow,
});

const editStatement = defineStatement({
  name: "message_edit",
  text: `UPDATE messages m
    SET content = $2, mention_user_ids = $3::uuid[], mention_everyone = $4, edited_at = now()
    WHERE m.id = $1 AND NOT m.deleted
      AND ${authorStanding({ serverId: "m.server_id", userId: "m.author_id" })} = $5
    RETURNING ${messageColumns}`,
  row: messageRow,
});

/** A page of a channel's history, newest first: the newest messages, or those directly before or after a message. */
export async function findPage(
  connection: Queryable,
  page: { channelId: string; before?: string | undefined; after?: string | undefined; limit: number },
): Promise<MessageRow[]> {
  const { channelId, before, after, limit } = page;
  if (before !== undefined) return connection.query(beforeStatement, [channelId, limit, before]);
  if (after !== undefined) return (await connection.query(afterStatement, [channelId, limit, after])).toReversed();
  return connection.query(latestStatement, [channelId, limit]);
}

/** A message, deleted or not. */
export async function findMessage(connection: Queryable, messageId: string): Promise<MessageRow | null> {
  const [row] = await connection.query(findStatement, [messageId]);
  return row ?? null;
}

/** @returns null when it was deleted, or its author's membership or timeout has changed since the check */
export async function editMessage(
  connection: Queryable,
  edit: {
    messageId: string;
    content: string;
    mentionUserIds: readonly string[];
    mentionEveryone: boolean;
    standing: string;
  },
): Promise<MessageRow | null> {
  const { messageId, content, mentionUserIds, mentionEveryone, standing } = edit;
  const [row] = await connection.query(editStatement, [messageId, content, mentionUserIds, mentionEveryone, standing]);
  return row ?? null;
}
