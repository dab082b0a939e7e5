import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { EmojiRow } from "./resource.js";

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

export async function createEmojiId(connection: Queryable): Promise<string> {
  const [id] = await connection.query(idStatement, []);
  if (id === undefined) throw new Error("PostgreSQL made no id");
  return id;
}

/** How many emoji a server has, of all names or of one. */
export function countEmojis({ prisma }: Queryable, where: { server_id: string; name?: string }): Promise<number> {
  return prisma.customEmoji.count({ where });
}

/** @param data.created_at now where left out */
export function insertEmoji(
  { prisma }: Transaction,
  data: Omit<EmojiRow, "created_at"> & { created_at?: Date },
): Promise<EmojiRow> {
  return prisma.customEmoji.create({ data });
}

/** Custom emoji of a server, oldest first. */
export function findEmojis({ prisma }: Queryable, serverId: string): Promise<EmojiRow[]> {
  return prisma.customEmoji.findMany({ where: { server_id: serverId }, orderBy: { id: "asc" } });
}

export function findEmoji({ prisma }: Queryable, emojiId: string): Promise<EmojiRow | null> {
  return prisma.customEmoji.findUnique({ where: { id: emojiId } });
}

export async function deleteEmoji({ prisma }: Transaction, emojiId: string): Promise<void> {
  await prisma.customEmoji.delete({ where: { id: emojiId } });
}
