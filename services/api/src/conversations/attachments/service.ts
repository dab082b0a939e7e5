import {
  type Attachment,
  attachmentsMax,
  createEvent,
  errorTexts,
  forbidden,
  invalidInput,
  ServiceError,
} from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireWriting } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import { toAttachment } from "../../platform/files/attachment.js";
import { type ReceivedFile, receiveFiles } from "../../platform/files/receive.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { folders, storedKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import type { MessageRow } from "../messages/repository.js";
import { requireMessage } from "../messages/require-message.js";
import { countAttachments, findAttachments, findAutomodRules, insertAttachments, lockMessage } from "./repository.js";

export function createAttachmentService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  urls: FileUrls;
  automod: AutomodGate;
}) {
  const { database, outbox, storage, deleteFiles, urls, automod } = options;

  /** The rules of the server about files; most servers have none. */
  const check = async (userId: string, message: MessagePlace, files: readonly ReceivedFile[], total: number) => {
    const { server_id, channel_id, content } = message;
    const rules = await findAutomodRules(database, server_id);
    const mimeTypes = files.map(({ mime_type }) => mime_type);
    const text = { server_id, channel_id, user_id: userId, content, texts: [content] };
    return automod.checkFiles(rules, text, { mimeTypes, files: total, mentionUserIds: [], mentionEveryone: false });
  };

  const attach = (userId: string, message: MessagePlace, data: readonly ReceivedFile[]) => {
    const { id, server_id, channel_id } = message;
    return outbox.transaction([{ server_id, channel_id }], async (transaction, emit) => {
      await lockMessage(transaction, id);
      await requireUploader(transaction, userId, id);
      if ((await countAttachments(transaction, id)) + data.length > attachmentsMax)
        throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
      const rows = await insertAttachments(transaction, id, data);
      const attachments = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => toAttachment(row, urls));
      const added = { channel_id, message_id: id, attachments };
      emit(createEvent("ATTACHMENT_CREATE", { server_id, channel_id }, added));
      return attachments;
    });
  };

  return {
    /** Attachments of a message in the order in which they were uploaded. */
    async list(userId: string, messageId: string): Promise<Attachment[]> {
      await requireMessage(database, userId, { id: messageId });
      const rows = await findAttachments(database, messageId);
      return rows.map((row) => toAttachment(row, urls));
    },

    /** Stores the files of a form and attaches them: all, or none and nothing is left. */
    async upload(userId: string, messageId: string, form: MultipartForm): Promise<Attachment[]> {
      const message = await requireUploader(database, userId, messageId);
      const received: ReceivedFile[] = [];
      try {
        const existing = await countAttachments(database, messageId);
        await receiveFiles(form, { folder: folders.attachments, folderId: messageId, existing, storage }, received);
        const checked = await check(userId, message, received, existing + received.length);
        const attachments = await attach(userId, message, received);
        await automod.afterStored(checked, messageId);
        return attachments;
      } catch (error) {
        // After any other failure the rows may be committed all the same; if they are not, the files are orphaned.
        if (error instanceof ServiceError) await deleteFiles(received.map(storedKey));
        throw error;
      }
    },
  };
}

export type AttachmentService = ReturnType<typeof createAttachmentService>;

/** A message, and where it is. */
type MessagePlace = Pick<MessageRow, "id" | "server_id" | "channel_id" | "content">;

async function requireUploader(connection: Queryable, userId: string, messageId: string): Promise<MessagePlace> {
  const { row, access } = await requireMessage(connection, userId, { id: messageId });
  if (row.author_id !== userId) throw forbidden(errorTexts.attach_author_only);
  requirePermission(access, "ATTACH_FILES", errorTexts.attach_files_required);
  requireWriting(access);
  return row;
}
