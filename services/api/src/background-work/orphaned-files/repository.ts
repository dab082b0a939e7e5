import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { attachmentKey, emojiKey, parseAttachmentKey, parseEmojiKey } from "../../files/storage/keys.js";

/** Those of the keys whose file is still needed; a key of unknown form counts as needed and is never removed. */
export type FindNeeded = (connection: Queryable, keys: readonly string[]) => Promise<string[]>;

/** Attachments of a deleted message are out of reach for good, so they do not need their files. */
const attachmentStatement = defineStatement({
  name: "needed_attachments",
  text: `WITH file AS (SELECT * FROM unnest($1::uuid[], $2::text[]) AS file (folder_id, stored_name)),
    named AS (
      SELECT a.message_id, a.stored_name, a.upload_id FROM file
      JOIN attachments a ON a.message_id = file.folder_id AND a.stored_name = file.stored_name
      WHERE a.upload_id IS NULL
      UNION ALL
      SELECT a.message_id, a.stored_name, a.upload_id FROM file
      JOIN attachments a ON a.upload_id = file.folder_id AND a.stored_name = file.stored_name)
    SELECT named.* FROM named JOIN messages m ON m.id = named.message_id
    WHERE NOT m.deleted`,
  row: z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() }),
});

const emojiStatement = defineStatement({
  name: "needed_emojis",
  text: "SELECT id FROM custom_emojis WHERE id = ANY($1::uuid[])",
  row: (row: RawRow) => String(row.id),
});

export const findNeededAttachments: FindNeeded = async (connection, keys) => {
  const names = keys.flatMap((key) => parseAttachmentKey(key) ?? []);
  const rows = await connection.query(attachmentStatement, [
    names.map(({ folder_id }) => folder_id),
    names.map(({ stored_name }) => stored_name),
  ]);
  return [...keys.filter((key) => parseAttachmentKey(key) === null), ...rows.map(attachmentKey)];
};

export const findNeededEmojis: FindNeeded = async (connection, keys) => {
  const ids = keys.flatMap((key) => parseEmojiKey(key) ?? []);
  const found = await connection.query(emojiStatement, [ids]);
  return [...keys.filter((key) => parseEmojiKey(key) === null), ...found.map(emojiKey)];
};
