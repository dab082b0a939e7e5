import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { type AutomodRulesSettings, automodRulesColumn, automodRulesSettings } from "@parley/moderation";
import { z } from "zod";
import type { AttachmentRow } from "../../platform/files/attachment.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import type { AttachmentName } from "../../platform/files/storage/keys.js";

/** The row lock serializes uploads that count a message's attachments, and excludes its deletion in between. */
const lockStatement = defineStatement({
  name: "attachment_lock_message",
  text: "SELECT id FROM messages WHERE id = $1 FOR NO KEY UPDATE",
  row: (row: RawRow) => String(row.id),
});

/** A message is in one of both tables. */
const findStatement = defineStatement({
  name: "file_find",
  text: `SELECT a.message_id, a.stored_name, a.upload_id, a.filename, a.mime_type, a.file_size, m.channel_id,
      false AS is_direct
    FROM attachments a JOIN messages m ON m.id = a.message_id JOIN channels c ON c.id = m.channel_id
    WHERE a.message_id = $1 AND a.stored_name = $2 AND NOT m.deleted
    UNION ALL
    SELECT a.message_id, a.stored_name, a.upload_id, a.filename, a.mime_type, a.file_size, m.channel_id,
      true AS is_direct
    FROM dm_attachments a JOIN dm_messages m ON m.id = a.message_id
    WHERE a.message_id = $1 AND a.stored_name = $2`,
  row: z.object({
    message_id: z.string(),
    stored_name: z.string(),
    upload_id: z.string().nullable(),
    filename: z.string(),
    mime_type: z.string(),
    file_size: z.int(),
    channel_id: z.string(),
    is_direct: z.boolean(),
  }),
});

const rulesStatement = defineStatement({
  name: "attachment_automod_rules",
  text: `SELECT ${automodRulesColumn} FROM servers s WHERE s.id = $1`,
  row: z.object({ automod_rules: automodRulesSettings }),
});

/** The rules that a server has made; null without any. */
export async function findAutomodRules(connection: Queryable, serverId: string): Promise<AutomodRulesSettings> {
  const [row] = await connection.query(rulesStatement, [serverId]);
  return row?.automod_rules ?? null;
}

/** Locks a message that attachments are added to. */
export async function lockMessage(transaction: Transaction, messageId: string): Promise<void> {
  await transaction.query(lockStatement, [messageId]);
}

export function countAttachments({ prisma }: Queryable, messageId: string): Promise<number> {
  return prisma.attachment.count({ where: { message_id: messageId } });
}

/** Attachments of a message in the order in which they were uploaded. */
export function findAttachments({ prisma }: Queryable, messageId: string): Promise<AttachmentRow[]> {
  return prisma.attachment.findMany({ where: { message_id: messageId }, orderBy: { id: "asc" } });
}

/** @returns the rows in no order */
export function insertAttachments(
  { prisma }: Transaction,
  messageId: string,
  files: readonly ReceivedFile[],
): Promise<AttachmentRow[]> {
  const data = files.map(({ folder: _folder, folder_id: _id, ...file }) => ({ ...file, message_id: messageId }));
  return prisma.attachment.createManyAndReturn({ data });
}

/** A file by its address, with the channel of its message; undefined when it or the message is gone. */
export async function findFile(connection: Queryable, { message_id, stored_name }: AttachmentName) {
  const [file] = await connection.query(findStatement, [message_id, stored_name]);
  return file;
}
