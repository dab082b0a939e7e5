import { type CustomEmoji, createEvent, errorTexts, invalidInput, notFound, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { InServer, MemberAccess, Subresource } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import type { Reservations } from "../../platform/files/quotas/reservations.js";
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

/** The right to add and to delete custom emoji. */
export const manageEmojis = permission("ADMINISTRATOR", errorTexts.emojis_need_administrator);

/** The emoji that a path names. */
export const namedEmoji: Subresource<MemberAccess, EmojiAddress, undefined> = {
  missing: [errorTexts.emoji_not_found],
  async find(connection, { serverId }, { emoji_id }) {
    const emoji = await findEmoji(connection, emoji_id);
    if (emoji?.server_id !== serverId) throw notFound(errorTexts.emoji_not_found);
  },
};

export function createEmojiService(options: {
  database: Database;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
}) {
  const { database, storage, deleteFiles, reservations } = options;

  return {
    /** Custom emoji of a server, oldest first. */
    async list({ serverId }: MemberAccess): Promise<CustomEmoji[]> {
      return (await findEmojis(database, serverId)).map(toCustomEmoji);
    },

    async create(may: InServer, form: MultipartForm): Promise<CustomEmoji> {
      const { serverId: charged } = await may.access();
      const { name, image, contentType } = await readEmojiForm(form);
      const id = await createEmojiId(database);
      const room = reservations.open({ serverId: charged }, image.length);
      try {
        await room.take(image.length);
        await storage.put(emojiKey(id), [image]);
        return await may.change(async ({ transaction, emit, access: { serverId, userId } }) => {
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
      } finally {
        await room.end();
      }
    },

    async delete(may: InServer, { server_id, emoji_id }: EmojiAddress): Promise<void> {
      await may.change(async ({ transaction, emit }) => {
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
