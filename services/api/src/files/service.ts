import { errorTexts, isStorableText, notFound, ServiceError } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { requireChannel } from "../access/channel-access.js";
import { type AttachmentName, attachmentKey } from "../storage/keys.js";
import type { StoredBytes } from "./send-stored.js";
import type { FileSignature, FileUrls } from "./signed-urls.js";

/** An attachment's bytes and the name to save them under. */
export interface AttachedFile extends StoredBytes {
  filename: string;
}

const findStatement = defineStatement({
  name: "file_find",
  text: `SELECT a.message_id, a.stored_name, a.upload_id, a.filename, a.mime_type, a.file_size, m.channel_id
    FROM attachments a JOIN messages m ON m.id = a.message_id JOIN channels c ON c.id = m.channel_id
    WHERE a.message_id = $1 AND a.stored_name = $2 AND NOT m.deleted`,
  row: z.object({
    message_id: z.string(),
    stored_name: z.string(),
    upload_id: z.string().nullable(),
    filename: z.string(),
    mime_type: z.string(),
    file_size: z.int(),
    channel_id: z.string(),
  }),
});

export function createFileService({ database, urls }: { database: Database; urls: FileUrls }) {
  const find = async ({ message_id, stored_name }: AttachmentName) => {
    const name = isStorableText(stored_name) ? stored_name : "";
    const [row] = await database.query(findStatement, [message_id, name]);
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
