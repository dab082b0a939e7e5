import type { AttachmentName } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { type AttachmentRow, attachmentRow } from "../../platform/files/attachment.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { forBoth, type KindName } from "../core/kind.js";

const columns =
  "id, message_id, filename, stored_name, file_size, mime_type, width, height, created_at, thumbnail_bytes";

/** The row lock serializes uploads that count a message's attachments, and excludes its removal because of its age. */
const lockStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}attachment_lock_message`,
    text: `SELECT id FROM ${prefix}messages WHERE id = $1 FOR NO KEY UPDATE`,
    row: (row: RawRow) => String(row.id),
  }),
);

const countStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}attachment_count`,
    text: `SELECT count(*)::integer AS count FROM ${prefix}attachments WHERE message_id = $1`,
    row: z.object({ count: z.int() }),
  }),
);

const listStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}attachment_list`,
    text: `SELECT ${columns} FROM ${prefix}attachments WHERE message_id = $1 AND NOT forwarded ORDER BY id`,
    row: attachmentRow,
  }),
);

/** Ids grow, so the files keep their order. */
const insertStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}attachment_insert`,
    text: `INSERT INTO ${prefix}attachments (message_id, filename, stored_name, file_size, mime_type, width, height)
      SELECT $1::uuid, input.* FROM jsonb_to_recordset($2::jsonb) AS input (
        filename text, stored_name text, file_size integer, mime_type text, width integer, height integer)
      RETURNING ${columns}`,
    row: attachmentRow,
  }),
);

/** A message is in one of both tables. */
const findStatement = defineStatement({
  name: "file_find",
  text: `SELECT a.message_id, a.stored_name, a.upload_id, a.filename, a.mime_type, a.file_size, a.thumbnail_bytes,
      m.channel_id, false AS is_direct
    FROM attachments a JOIN messages m ON m.id = a.message_id JOIN channels c ON c.id = m.channel_id
    WHERE a.message_id = $1 AND a.stored_name = $2 AND NOT m.deleted
    UNION ALL
    SELECT a.message_id, a.stored_name, a.upload_id, a.filename, a.mime_type, a.file_size, a.thumbnail_bytes,
      m.channel_id, true AS is_direct
    FROM dm_attachments a JOIN dm_messages m ON m.id = a.message_id
    WHERE a.message_id = $1 AND a.stored_name = $2`,
  row: z.object({
    message_id: z.string(),
    stored_name: z.string(),
    upload_id: z.string().nullable(),
    filename: z.string(),
    mime_type: z.string(),
    file_size: z.int(),
    thumbnail_bytes: z.int().nullable(),
    channel_id: z.string(),
    is_direct: z.boolean(),
  }),
});

/** Locks a message that files are added to. @returns whether it is there */
export async function lockMessage(transaction: Transaction, kind: KindName, messageId: string): Promise<boolean> {
  return (await transaction.query(lockStatements[kind], [messageId])).length > 0;
}

export async function countAttachments(connection: Queryable, kind: KindName, messageId: string): Promise<number> {
  const [row] = await connection.query(countStatements[kind], [messageId]);
  return row?.count ?? 0;
}

/** Attachments of a message in the order in which they were uploaded. */
export function findAttachments(connection: Queryable, kind: KindName, messageId: string): Promise<AttachmentRow[]> {
  return connection.query(listStatements[kind], [messageId]);
}

/** @returns the rows in the order of the files */
export async function insertAttachments(
  transaction: Transaction,
  kind: KindName,
  { messageId, files }: { messageId: string; files: readonly ReceivedFile[] },
): Promise<AttachmentRow[]> {
  const rows = await transaction.query(insertStatements[kind], [messageId, JSON.stringify(files)]);
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** A file by its address, with the channel of its message; undefined when it or the message is gone. */
export async function findFile(connection: Queryable, { message_id, stored_name }: AttachmentName) {
  const [file] = await connection.query(findStatement, [message_id, stored_name]);
  return file;
}
