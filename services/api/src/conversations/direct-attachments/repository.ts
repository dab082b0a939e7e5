import type { Queryable, Transaction } from "@parley/database/prisma";
import type { AttachmentRow } from "../../platform/files/attachment.js";
import type { ReceivedFile } from "../../platform/files/receive.js";

export function countDirectAttachments({ prisma }: Queryable, messageId: string): Promise<number> {
  return prisma.dmAttachment.count({ where: { message_id: messageId } });
}

/** Attachments of a direct message in the order in which they were uploaded. */
export function findDirectAttachments({ prisma }: Queryable, messageId: string): Promise<AttachmentRow[]> {
  return prisma.dmAttachment.findMany({ where: { message_id: messageId }, orderBy: { id: "asc" } });
}

/** @returns the rows in no order */
export function insertDirectAttachments(
  { prisma }: Transaction,
  messageId: string,
  files: readonly ReceivedFile[],
): Promise<AttachmentRow[]> {
  const data = files.map(({ folder: _folder, folder_id: _id, ...file }) => ({ ...file, message_id: messageId }));
  return prisma.dmAttachment.createManyAndReturn({ data });
}
