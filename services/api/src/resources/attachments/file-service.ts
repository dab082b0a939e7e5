import { errorTexts, isStorableText, notFound, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { requireChannel } from "../../access/channel-access.js";
import type { StoredBytes } from "../../files/send-stored.js";
import type { FileSignature, FileUrls } from "../../files/signed-urls.js";
import { type AttachmentName, attachmentKey } from "../../files/storage/keys.js";

/** An attachment's bytes and the name to save them under. */
export interface AttachedFile extends StoredBytes {
  filename: string;
}

import { findFile } from "./repository.js";

export function createFileService({ database, urls }: { database: Database; urls: FileUrls }) {
  const find = async ({ message_id, stored_name }: AttachmentName) => {
    const name = isStorableText(stored_name) ? stored_name : "";
    const row = await findFile(database, { message_id, stored_name: name });
    if (row === undefined) throw notFound(errorTexts.attachment_not_found);
    const { filename, mime_type: mimeType, file_size: size } = row;
    return { channelId: row.channel_id, file: { key: attachmentKey(row), size, mimeType, filename } };
  };

  return {
    /** A file for a member of its server. */
    async findForMember(userId: string, name: AttachmentName): Promise<AttachedFile> {
      const { channelId, file } = await find(name);
      await requireChannel(database, channelId, userId, errorTexts.attachment_not_found);
      return file;
    },

    /** A file for the holder of its signed address. */
    async findForHolder(name: AttachmentName, signature: FileSignature): Promise<AttachedFile> {
      if (!urls.verify(name, signature)) throw new ServiceError("unauthenticated", errorTexts.invalid_token);
      return (await find(name)).file;
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;
