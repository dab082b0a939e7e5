import type { AttachmentName, FileSignature, FileUrls } from "@parley/auth";
import { errorTexts, isStorableText, isUuid, notFound, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { CallerRight } from "../../access/asked.js";
import { requireChannel } from "../../access/may.js";
import { viewing } from "../../access/needs.js";
import type { StoredBytes } from "../../platform/files/send-stored.js";
import { attachmentKey, directAttachmentKey, thumbnailKey } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import type { May } from "../../platform/http/may.js";
import { parse } from "../../platform/http/route.js";
import { requireParticipants } from "../direct-messages/participants-repository.js";
import { findFile } from "./repository.js";

const thumbnailType = "image/webp";

/** An attachment's bytes and the name to save them under. */
export interface AttachedFile extends StoredBytes {
  filename: string;
  /** The small copy of a large picture, null where there is none. */
  thumbnail: StoredBytes | null;
}

export function createFileService({ database, urls }: { database: Database; urls: FileUrls }) {
  const find = async ({ message_id, stored_name }: AttachmentName) => {
    const canExist = isUuid(message_id) && isStorableText(stored_name);
    const row = canExist ? await findFile(database, { message_id, stored_name }) : undefined;
    if (row === undefined) throw notFound(errorTexts.attachment_not_found);
    const { filename, mime_type: mimeType, file_size: size, channel_id: channelId, is_direct: isDirect } = row;
    const key = isDirect ? directAttachmentKey(row) : attachmentKey(row);
    const { thumbnail_bytes: bytes } = row;
    const thumbnail = bytes === null ? null : { key: thumbnailKey(key), size: bytes, mimeType: thumbnailType };
    return { channelId, isDirect, file: { key, size, mimeType, filename, thumbnail } };
  };

  const may: May<{ message_id: string; name: string }, Pick<CallerRight<AttachedFile>, "access">> = {
    right: "reader of the message",
    errors: { forbidden: [viewing.refusal], not_found: [errorTexts.attachment_not_found] },
    ask: (_stores, { userId, params }) => ({
      async access(connection = database) {
        const message_id = parse<typeof identifier>(identifier, params.message_id);
        const { channelId, isDirect, file } = await find({ message_id, stored_name: params.name });
        const requireReader = isDirect ? requireParticipants : requireChannel;
        await requireReader(connection, channelId, userId, errorTexts.attachment_not_found);
        return file;
      },
    }),
  };

  return {
    /** The right to read a file: of those in the server or conversation of its message. */
    may,

    /** A file for the holder of its signed address. */
    async findForHolder(name: AttachmentName, signature: FileSignature): Promise<AttachedFile> {
      if (!urls.verify(name, signature)) throw new ServiceError("unauthenticated", errorTexts.invalid_token);
      return (await find(name)).file;
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;
