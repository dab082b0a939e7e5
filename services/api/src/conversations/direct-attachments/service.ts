import {
  type Attachment,
  attachmentsMax,
  createEvent,
  errorTexts,
  forbidden,
  invalidInput,
  ServiceError,
} from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toAttachment } from "../../platform/files/attachment.js";
import { type ReceivedFile, receiveFiles } from "../../platform/files/receive.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { folders, storedKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import type { ChangeDirectMessage } from "../direct-messages/change.js";
import { requireDirectMessage } from "../direct-messages/participants.js";
import type { DmMessageRow } from "../direct-messages/resource.js";
import { countDirectAttachments, findDirectAttachments, insertDirectAttachments } from "./repository.js";

export function createDirectAttachments(options: {
  database: Database;
  change: ChangeDirectMessage;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  urls: FileUrls;
}) {
  const { database, change, storage, deleteFiles, urls } = options;

  const attach = (userId: string, messageId: string, data: readonly ReceivedFile[]) =>
    change(messageId, userId, async ({ transaction, row, requireMayWrite, tell }) => {
      requireAuthor(row, userId);
      await requireMayWrite();
      if ((await countDirectAttachments(transaction, messageId)) + data.length > attachmentsMax)
        throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
      const rows = await insertDirectAttachments(transaction, messageId, data);
      const attachments = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((file) => toAttachment(file, urls));
      const added = { channel_id: row.channel_id, message_id: messageId, attachments };
      tell((user, routing) => createEvent("DM_ATTACHMENT_CREATE", user, added, routing));
      return attachments;
    });

  return {
    /** Attachments of a message in the order in which they were uploaded. */
    async list(userId: string, messageId: string): Promise<Attachment[]> {
      await requireDirectMessage(database, messageId, userId);
      const rows = await findDirectAttachments(database, messageId);
      return rows.map((row) => toAttachment(row, urls));
    },

    /** Stores the files of a form and attaches them: all, or none and nothing is left. */
    async upload(userId: string, messageId: string, form: MultipartForm): Promise<Attachment[]> {
      requireAuthor((await requireDirectMessage(database, messageId, userId)).row, userId);
      const received: ReceivedFile[] = [];
      try {
        const existing = await countDirectAttachments(database, messageId);
        const target = { storage, folder: folders.directAttachments, folderId: messageId, existing };
        await receiveFiles(form, target, received);
        return await attach(userId, messageId, received);
      } catch (error) {
        // After any other failure the rows may be committed all the same; if they are not, the files are orphaned.
        if (error instanceof ServiceError) await deleteFiles(received.map(storedKey));
        throw error;
      }
    },
  };
}

export type DirectAttachments = ReturnType<typeof createDirectAttachments>;

/** @throws ServiceError 403 for the other's message */
function requireAuthor({ author_id }: DmMessageRow, userId: string): void {
  if (author_id !== userId) throw forbidden(errorTexts.attach_author_only);
}
