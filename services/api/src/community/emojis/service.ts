import { type CustomEmoji, createEvent, errorTexts, invalidInput, notFound, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { ServerAccess } from "../../access/repository.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
import type { StoredBytes } from "../../platform/files/send-stored.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { emojiKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import { readEmojiForm } from "./form.js";
import { emojisMax } from "./limits.js";
import {
  countEmojis,
  createEmojiId,
  deleteEmoji,
  type EmojiAddress,
  findEmoji,
  findEmojis,
  insertEmoji,
} from "./repository.js";
import { toCustomEmoji } from "./resource.js";

export function createEmojiService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
}) {
  const { database, outbox, storage, deleteFiles } = options;

  return {
    /** Custom emoji of a server, oldest first. */
    async list(userId: string, serverId: string): Promise<CustomEmoji[]> {
      await requireMember(database, serverId, userId);
      return (await findEmojis(database, serverId)).map(toCustomEmoji);
    },

    async create(userId: string, serverId: string, form: MultipartForm): Promise<CustomEmoji> {
      requireAdministrator(await requireMember(database, serverId, userId));
      const { name, image, contentType } = await readEmojiForm(form);
      const id = await createEmojiId(database);
      await storage.put(emojiKey(id), [image]);
      try {
        return await outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
          requireAdministrator(await requireMemberForChange(transaction, serverId, userId));
          // The server's row is locked, so no other request adds or counts at the same time.
          const taken = await countEmojis(transaction, { server_id: serverId, name });
          if (taken > 0) throw invalidInput(errorTexts.emoji_name_taken(name));
          if ((await countEmojis(transaction, { server_id: serverId })) >= emojisMax)
            throw invalidInput(errorTexts.emojis_limit_reached(emojisMax));
          const row = {
            id,
            server_id: serverId,
            name,
            created_by: userId,
            content_type: contentType,
            file_size: image.length,
          };
          const emoji = toCustomEmoji(await insertEmoji(transaction, row));
          emit(createEvent("CUSTOM_EMOJI_CREATE", { server_id: serverId }, emoji));
          return emoji;
        });
      } catch (error) {
        if (error instanceof ServiceError) await deleteFiles([emojiKey(id)]);
        throw error;
      }
    },

    async delete(userId: string, { server_id, emoji_id }: EmojiAddress): Promise<void> {
      await outbox.transaction([{ server_id }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, server_id, userId);
        const emoji = await findEmoji(transaction, emoji_id);
        if (emoji?.server_id !== server_id) throw notFound(errorTexts.emoji_not_found);
        requireAdministrator(access);
        await deleteEmoji(transaction, emoji_id);
        emit(createEvent("CUSTOM_EMOJI_DELETE", { server_id }, { server_id, emoji_id }));
      });
      await deleteFiles([emojiKey(emoji_id)]);
    },

    /** The image of an emoji; public. */
    async find(emojiId: string): Promise<StoredBytes> {
      const row = await findEmoji(database, emojiId);
      if (row === null) throw notFound(errorTexts.emoji_not_found);
      return { key: emojiKey(row.id), size: row.file_size, mimeType: row.content_type };
    },
  };
}

export type EmojiService = ReturnType<typeof createEmojiService>;

function requireAdministrator(access: ServerAccess): void {
  requirePermission(access, "ADMINISTRATOR", errorTexts.emojis_need_administrator);
}
