import { MessageAuthor } from "@parley/contracts";
import { defineStatement, rowsOfArrays } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { guessLanguage } from "@parley/message-text";
import { z } from "zod";
import type { StoredAttachment } from "../../platform/files/storage/keys.js";
import { detailRow, listedAttachments, listedReactions } from "../core/detail-repository.js";
import type { WantedDetails } from "../core/details.js";
import { newestFirst, pageStatements } from "../core/history-repository.js";
import type { HistoryPlace } from "../core/schema.js";
import { authorObject } from "../messages/author-repository.js";
import { type DmMessageRow, dmMessageColumns, dmMessageRow } from "./resource.js";

const pages = pageStatements(
  "dm_message",
  { tables: ["dm_messages", "deleted_dm_messages"], cursor: "$3" },
  ({ name, where, order }) =>
    defineStatement({
      name,
      text: `SELECT ${dmMessageColumns} FROM (
          SELECT * FROM dm_messages m WHERE m.channel_id = $1 ${where} ${order} LIMIT $2) AS m ${newestFirst}`,
      row: dmMessageRow,
    }),
);

const findStatement = defineStatement({
  name: "dm_message_find",
  text: `SELECT ${dmMessageColumns} FROM dm_messages m WHERE m.id = $1`,
  row: dmMessageRow,
});

/** The author `author` as their messages show them. */
const authorStatement = (author: string) =>
  `(SELECT ${authorObject("NULL::text")} FROM users u WHERE u.id = ${author})`;

/** $3: the viewer, null for no reactions. $4: whether to read attachments, $5: authors. */
const detailStatement = defineStatement({
  name: "dm_message_details",
  text: `SELECT message.id,
      CASE WHEN $3::uuid IS NOT NULL THEN ${listedReactions("dm_", "$3")} END AS reactions,
      CASE WHEN $4 THEN ${listedAttachments("dm_")} END AS attachments,
      CASE WHEN $5 THEN ${authorStatement("message.author_id")} END AS author
    FROM ${rowsOfArrays("uuid", "uuid")} AS message (id, author_id)`,
  row: detailRow,
});

const editStatement = defineStatement({
  name: "dm_message_edit",
  text: `UPDATE dm_messages m SET content = $2, language = $3, edited_at = now() WHERE m.id = $1
    RETURNING ${dmMessageColumns}, ${authorStatement("m.author_id")} AS author`,
  row: dmMessageRow.extend({ author: MessageAuthor.nullable() }),
});

/** Reactions go with the message. Attachments would, too; they are removed here to learn which files they had. */
const removeStatement = defineStatement({
  name: "dm_message_remove",
  text: `WITH noted AS (
      INSERT INTO deleted_dm_messages (id, channel_id) SELECT id, channel_id FROM dm_messages WHERE id = $1),
    removed AS (DELETE FROM dm_messages WHERE id = $1)
    DELETE FROM dm_attachments WHERE message_id = $1 RETURNING message_id, stored_name, upload_id`,
  row: z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() }),
});

/**
 * A page of a channel's history, newest first: the newest messages, those directly before or after a message, or the first
 * ones from an instant on.
 */
export function findDmPage(
  connection: Queryable,
  { channelId, limit, ...place }: HistoryPlace,
): Promise<DmMessageRow[]> {
  return pages.find(connection, place, [channelId, limit]);
}

/** A message by its id. */
export async function findDmMessage(connection: Queryable, messageId: string): Promise<DmMessageRow | null> {
  const [row] = await connection.query(findStatement, [messageId]);
  return row ?? null;
}

/** Reactions, attachments and authors of messages, those of them that are wanted. */
export function findDmDetails(
  connection: Queryable,
  rows: readonly DmMessageRow[],
  { reactionsOf, attachments, author }: WantedDetails,
) {
  const [ids, authorIds] = [rows.map(({ id }) => id), rows.map(({ author_id }) => author_id)];
  return connection.query(detailStatement, [ids, authorIds, reactionsOf, attachments, author]);
}

/** @returns the message after the edit, with its author; undefined when it is gone */
export async function editDmMessage(transaction: Transaction, messageId: string, content: string) {
  const [edited] = await transaction.query(editStatement, [messageId, content, guessLanguage(content)]);
  return edited;
}

/** Removes a message with its reactions and attachments. @returns the files that nothing names any more */
export function removeDmMessage(transaction: Transaction, messageId: string): Promise<StoredAttachment[]> {
  return transaction.query(removeStatement, [messageId]);
}
