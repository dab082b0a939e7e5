import type { IncomingMessage } from "node:http";
import type { FileUrls } from "@parley/auth";
import { type Attachment, attachmentsMax, errorTexts, invalidInput, notFound, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toAttachment } from "../../platform/files/attachment.js";
import { bodyLength } from "../../platform/files/quotas/body-length.js";
import type { Reservations } from "../../platform/files/quotas/reservations.js";
import { type ReceivedFile, receiveFiles } from "../../platform/files/receive.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { storedKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { openMultipart } from "../../platform/http/multipart.js";
import type { Kind, MessageAccess } from "../core/kind.js";
import type { ToMessage } from "../core/may.js";
import { countAttachments, findAttachments, insertAttachments, lockMessage } from "./repository.js";

export function createAttachmentService<F extends MessageAccess>(
  kind: Kind<F>,
  options: {
    database: Database;
    storage: FileStorage;
    deleteFiles: DeleteFiles;
    reservations: Reservations;
    urls: FileUrls;
  },
) {
  const { database, storage, deleteFiles, reservations, urls } = options;
  const { attaching } = kind;

  return {
    /** Attachments of a message in the order in which they were uploaded. */
    async list({ found }: F): Promise<Attachment[]> {
      const rows = await findAttachments(database, kind.name, found.id);
      return rows.map((file) => toAttachment(file, urls));
    },

    /** Stores the files of a form and attaches them: all, or none and nothing is left. */
    async upload(may: ToMessage<F>, request: IncomingMessage): Promise<Attachment[]> {
      const form = openMultipart(request, { bytesMax: uploadBytesMax });
      const access = await may.access();
      const { id: messageId, channel_id } = access.found;
      const files: ReceivedFile[] = [];
      const room = reservations.open({ authorId: access.userId, channelId: channel_id }, bodyLength(request));
      try {
        const existing = await countAttachments(database, kind.name, messageId);
        await receiveFiles(form, { folder: attaching.folder, folderId: messageId, existing, storage, room }, files);
        const afterStored = await attaching.judge?.(access, files, existing + files.length);
        const attached = await may.change(async ({ transaction, announce }) => {
          if (!(await lockMessage(transaction, kind.name, messageId))) throw notFound(errorTexts.message_not_found);
          if ((await countAttachments(transaction, kind.name, messageId)) + files.length > attachmentsMax)
            throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
          const rows = await insertAttachments(transaction, kind.name, { messageId, files });
          const attachments = rows.map((file) => toAttachment(file, urls));
          announce("ATTACHMENT_CREATE", { channel_id, message_id: messageId, attachments });
          return attachments;
        });
        await afterStored?.();
        return attached;
      } catch (error) {
        // After any other failure the rows may be committed all the same; if they are not, the files are orphaned.
        if (error instanceof ServiceError) await deleteFiles(files.map(storedKey));
        throw error;
      } finally {
        await room.end();
      }
    },
  };
}

export type AttachmentService<F extends MessageAccess> = ReturnType<typeof createAttachmentService<F>>;
