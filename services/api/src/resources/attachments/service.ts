import { type Attachment, attachmentsMax, errorTexts, forbidden, invalidInput, ServiceError } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import { requirePermission } from "../../access/server-access.js";
import { toAttachment } from "../../files/attachment.js";
import { type ReceivedFile, receiveFiles } from "../../files/receive.js";
import type { FileUrls } from "../../files/signed-urls.js";
import type { DeleteFiles } from "../../files/storage/delete-files.js";
import { storedKey } from "../../files/storage/keys.js";
import type { FileStorage } from "../../files/storage/storage.js";
import type { MultipartForm } from "../../http/multipart.js";
import { requireMessage } from "../messages/require-message.js";
import { countAttachments, findAttachments, insertAttachments, lockMessage } from "./repository.js";

export function createAttachmentService(options: {
  database: Database;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  urls: FileUrls;
}) {
  const { database, storage, deleteFiles, urls } = options;

  const attach = (userId: string, messageId: string, data: readonly ReceivedFile[]) =>
    database.transaction(async (transaction) => {
      await lockMessage(transaction, messageId);
      await requireUploader(transaction, userId, messageId);
      if ((await countAttachments(transaction, messageId)) + data.length > attachmentsMax)
        throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
      return insertAttachments(transaction, messageId, data);
    });

  return {
    /** Attachments of a message in the order in which they were uploaded. */
    async list(userId: string, messageId: string): Promise<Attachment[]> {
      await requireMessage(database, userId, { id: messageId });
      const rows = await findAttachments(database, messageId);
      return rows.map((row) => toAttachment(row, urls));
    },

    /** Stores the files of a form and attaches them: all, or none and nothing is left. */
    async upload(userId: string, messageId: string, form: MultipartForm): Promise<Attachment[]> {
      await requireUploader(database, userId, messageId);
      const received: ReceivedFile[] = [];
      try {
        const existing = await countAttachments(database, messageId);
        await receiveFiles(form, { messageId, existing, storage }, received);
        const rows = await attach(userId, messageId, received);
        return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => toAttachment(row, urls));
      } catch (error) {
        // After any other failure the rows may be committed all the same; if they are not, the files are orphaned.
        if (error instanceof ServiceError) await deleteFiles(received.map(storedKey));
        throw error;
      }
    },
  };
}

export type AttachmentService = ReturnType<typeof createAttachmentService>;

async function requireUploader(connection: Queryable, userId: string, messageId: string): Promise<void> {
  const { row, access } = await requireMessage(connection, userId, { id: messageId });
  if (row.author_id !== userId) throw forbidden(errorTexts.attach_author_only);
  requirePermission(access, "ATTACH_FILES", errorTexts.attach_files_required);
}
