import { type Attachment, attachmentsMax, errorTexts, forbidden, invalidInput, ServiceError } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";
import { requirePermission } from "../../access/server-access.js";
import { toAttachment } from "../../files/attachment.js";
import { type ReceivedFile, receiveFiles } from "../../files/receive.js";
import type { FileUrls } from "../../files/signed-urls.js";
import type { MultipartForm } from "../../http/multipart.js";
import type { Discard } from "../../storage/discard.js";
import { storedKey } from "../../storage/keys.js";
import type { FileStorage } from "../../storage/storage.js";
import { requireMessage } from "../messages/require-message.js";

/** The row lock serializes uploads that count a message's attachments, and excludes its deletion in between. */
const lockStatement = defineStatement({
  name: "attachment_lock_message",
  text: "SELECT id FROM messages WHERE id = $1 FOR NO KEY UPDATE",
  row: (row: RawRow) => String(row.id),
});

export function createAttachmentService(options: {
  database: Database;
  storage: FileStorage;
  discard: Discard;
  urls: FileUrls;
}) {
  const { database, storage, discard, urls } = options;

  const attach = (userId: string, messageId: string, data: readonly ReceivedFile[]) =>
    database.transaction(async (transaction) => {
      await transaction.query(lockStatement, [messageId]);
      await requireUploader(transaction, userId, messageId);
      if ((await countOf(transaction, messageId)) + data.length > attachmentsMax)
        throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
      return transaction.prisma.attachment.createManyAndReturn({
        data: data.map(({ folder_id: _, ...file }) => ({ ...file, message_id: messageId })),
      });
    });

  return {
    /** Attachments of a message in the order in which they were uploaded. */
    async list(userId: string, messageId: string): Promise<Attachment[]> {
      await requireMessage(database, userId, { id: messageId });
      const rows = await database.prisma.attachment.findMany({
        where: { message_id: messageId },
        orderBy: { id: "asc" },
      });
      return rows.map((row) => toAttachment(row, urls));
    },

    /** Stores the files of a form and attaches them: all, or none and nothing is left. */
    async upload(userId: string, messageId: string, form: MultipartForm): Promise<Attachment[]> {
      await requireUploader(database, userId, messageId);
      const received: ReceivedFile[] = [];
      try {
        const existing = await countOf(database, messageId);
        await receiveFiles(form, { messageId, existing, storage }, received);
        const rows = await attach(userId, messageId, received);
        return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => toAttachment(row, urls));
      } catch (error) {
        // After any other failure the rows may be committed all the same; if they are not, the sweep finds the files.
        if (error instanceof ServiceError) await discard(received.map(storedKey));
        throw error;
      }
    },
  };
}

export type AttachmentService = ReturnType<typeof createAttachmentService>;

function countOf(connection: Queryable, messageId: string): Promise<number> {
  return connection.prisma.attachment.count({ where: { message_id: messageId } });
}

async function requireUploader(connection: Queryable, userId: string, messageId: string): Promise<void> {
  const { row, access } = await requireMessage(connection, userId, { id: messageId });
  if (row.author_id !== userId) throw forbidden(errorTexts.attach_author_only);
  requirePermission(access, "ATTACH_FILES", errorTexts.attach_files_required);
}
