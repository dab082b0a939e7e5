import { type CustomEmoji, createEvent, errorTexts, invalidInput, notFound, ServiceError } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { ServerAccess } from "../../access/repository.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
import type { StoredBytes } from "../../files/send-stored.js";
import type { MultipartForm } from "../../http/multipart.js";
import type { Discard } from "../../storage/discard.js";
import { emojiKey } from "../../storage/keys.js";
import type { FileStorage } from "../../storage/storage.js";
import { readEmojiForm } from "./form.js";
import { emojisMax } from "./limits.js";
import { type EmojiRow, toCustomEmoji } from "./resource.js";

/** A custom emoji by the ids in its path. */
export interface EmojiAddress {
  server_id: string;
  emoji_id: string;
}

/** The image is stored under the id before its row exists; one clock, the database's, makes all ids. */
const idStatement = defineStatement({
  name: "emoji_id",
  text: "SELECT uuidv7()::text AS id",
  row: (row: RawRow) => String(row.id),
});

export function createEmojiService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  discard: Discard;
}) {
  const { database, outbox, storage, discard } = options;

  return {
    /** Custom emoji of a server, oldest first. */
    async list(userId: string, serverId: string): Promise<CustomEmoji[]> {
      await requireMember(database, serverId, userId);
      const rows = await database.prisma.customEmoji.findMany({
        where: { server_id: serverId },
        orderBy: { id: "asc" },
      });
      return rows.map(toCustomEmoji);
    },

    async create(userId: string, serverId: string, form: MultipartForm): Promise<CustomEmoji> {
      requireAdministrator(await requireMember(database, serverId, userId));
      const { name, image, contentType } = await readEmojiForm(form);
      const id = await createId(database);
      await storage.put(emojiKey(id), [image]);
      try {
        return await outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
          requireAdministrator(await requireMemberForChange(transaction, serverId, userId));
          const row = {
            id,
            server_id: serverId,
            name,
            created_by: userId,
            content_type: contentType,
            file_size: image.length,
          };
          const emoji = toCustomEmoji(await insert(transaction, row));
          emit(createEvent("CUSTOM_EMOJI_CREATE", { server_id: serverId }, emoji));
          return emoji;
        });
      } catch (error) {
        if (error instanceof ServiceError) await discard([emojiKey(id)]);
        throw error;
      }
    },

    async delete(userId: string, { server_id, emoji_id }: EmojiAddress): Promise<void> {
      await outbox.transaction([{ server_id }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, server_id, userId);
        const where = { id: emoji_id, server_id };
        if ((await transaction.prisma.customEmoji.count({ where })) === 0) throw notFound(errorTexts.emoji_not_found);
        requireAdministrator(access);
        await transaction.prisma.customEmoji.deleteMany({ where });
        emit(createEvent("CUSTOM_EMOJI_DELETE", { server_id }, { server_id, emoji_id }));
      });
      await discard([emojiKey(emoji_id)]);
    },

    /** The image of an emoji; public. */
    async find(emojiId: string): Promise<StoredBytes> {
      const row = await database.prisma.customEmoji.findUnique({ where: { id: emojiId } });
      if (row === null) throw notFound(errorTexts.emoji_not_found);
      return { key: emojiKey(row.id), size: row.file_size, mimeType: row.content_type };
    },
  };
}

export type EmojiService = ReturnType<typeof createEmojiService>;

function requireAdministrator(access: ServerAccess): void {
  requirePermission(access, "ADMINISTRATOR", errorTexts.emojis_need_administrator);
}

async function createId(connection: Queryable): Promise<string> {
  const [id] = await connection.query(idStatement, []);
  if (id === undefined) throw new Error("PostgreSQL made no id");
  return id;
}

/** The server's row is locked, so no other request adds or counts at the same time. */
async function insert(transaction: Transaction, data: Omit<EmojiRow, "created_at">): Promise<EmojiRow> {
  const { server_id, name } = data;
  const taken = await transaction.prisma.customEmoji.count({ where: { server_id, name } });
  if (taken > 0) throw invalidInput(errorTexts.emoji_name_taken(name));
  if ((await transaction.prisma.customEmoji.count({ where: { server_id } })) >= emojisMax)
    throw invalidInput(errorTexts.emojis_limit_reached(emojisMax));
  return transaction.prisma.customEmoji.create({ data });
}
