import { type Attachment, attachmentsMax, errorTexts, invalidInput, notFound, ServiceError } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { toAttachment } from "../../platform/files/attachment.js";
import { type ReceivedFile, receiveFiles } from "../../platform/files/receive.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { storedKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import { changeMessage } from "../core/change.js";
import { type Found, type Kind, type PathIds, requireAuthor } from "../core/kind.js";
import { countAttachments, findAttachments, insertAttachments, lockMessage } from "./repository.js";

export function createAttachmentService<F extends Found>(
  kind: Kind<F>,
  options: {
    database: Database;
    outbox: Outbox<Transaction>;
    storage: FileStorage;
    deleteFiles: DeleteFiles;
    urls: FileUrls;
  },
) {
  const { database, outbox, storage, deleteFiles, urls } = options;
  const { paths, attaching } = kind;

  return {
    /** Attachments of a message in the order in which they were uploaded. */
    async list(userId: string, ids: PathIds): Promise<Attachment[]> {
      const { row } = await paths.attachments.find(database, userId, ids);
      const rows = await findAttachments(database, kind.name, row.id);
      return rows.map((file) => toAttachment(file, urls));
    },

    /** Stores the files of a form and attaches them: all, or none and nothing is left. */
    async upload(userId: string, ids: PathIds, form: MultipartForm): Promise<Attachment[]> {
      const find = async (connection: Queryable) => {
        const found = await paths.attachments.find(connection, userId, ids);
        requireAuthor(found, userId, errorTexts.attach_author_only);
        attaching.requireMay(found);
        return found;
      };
      const { row } = await find(database);
      const messageId = row.id;
      const files: ReceivedFile[] = [];
      try {
        const existing = await countAttachments(database, kind.name, messageId);
        await receiveFiles(form, { folder: attaching.folder, folderId: messageId, existing, storage }, files);
        const afterStored = await attaching.judge?.(userId, row, files, existing + files.length);
        const attached = await changeMessage(outbox, kind, { row, find }, async ({ transaction, found, announce }) => {
          await kind.requireMayWrite(transaction, userId, found);
          if (!(await lockMessage(transaction, kind.name, messageId))) throw notFound(errorTexts.message_not_found);
          if ((await countAttachments(transaction, kind.name, messageId)) + files.length > attachmentsMax)
            throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
          const rows = await insertAttachments(transaction, kind.name, { messageId, files });
          const attachments = rows.map((file) => toAttachment(file, urls));
          announce("ATTACHMENT_CREATE", { channel_id: row.channel_id, message_id: messageId, attachments });
          return attachments;
        });
        await afterStored?.();
        return attached;
      } catch (error) {
        // After any other failure the rows may be committed all the same; if they are not, the files are orphaned.
        if (error instanceof ServiceError) await deleteFiles(files.map(storedKey));
        throw error;
      }
    },
  };
}

export type AttachmentService = ReturnType<typeof createAttachmentService>;
