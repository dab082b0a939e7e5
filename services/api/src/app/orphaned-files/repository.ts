import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import {
  attachmentKey,
  directAttachmentKey,
  emojiKey,
  importPartKey,
  parseAttachmentKey,
  parseEmojiKey,
  parseImportPartKey,
  parsePictureKey,
  pictureKeys,
  type StoredAttachment,
  thumbnailedKey,
  thumbnailKey,
} from "../../platform/files/storage/keys.js";

/** Those of the keys whose file is still needed; a key of unknown form counts as needed and is never removed. */
export type FindNeeded = (connection: Queryable, keys: readonly string[]) => Promise<string[]>;

const attachmentRow = z.object({
  message_id: z.string(),
  stored_name: z.string(),
  upload_id: z.string().nullable(),
  thumbnail_bytes: z.int().nullable(),
});

/** SQL for the attachments whose files are at some places: `named`. */
const named = (table: "attachments" | "dm_attachments") => `
    file AS (SELECT * FROM unnest($1::uuid[], $2::text[]) AS file (folder_id, stored_name)),
    named AS (
      SELECT a.message_id, a.stored_name, a.upload_id, a.thumbnail_bytes FROM file
      JOIN ${table} a ON a.message_id = file.folder_id AND a.stored_name = file.stored_name
      WHERE a.upload_id IS NULL
      UNION ALL
      SELECT a.message_id, a.stored_name, a.upload_id, a.thumbnail_bytes FROM file
      JOIN ${table} a ON a.upload_id = file.folder_id AND a.stored_name = file.stored_name)`;

/** Attachments of a deleted message are out of reach for good, so they do not need their files. */
const attachmentStatement = defineStatement({
  name: "needed_attachments",
  text: `WITH ${named("attachments")}
    SELECT named.* FROM named JOIN messages m ON m.id = named.message_id
    WHERE NOT m.deleted`,
  row: attachmentRow,
});

/** Those of a deleted direct message are gone. */
const directAttachmentStatement = defineStatement({
  name: "needed_dm_attachments",
  text: `WITH ${named("dm_attachments")} SELECT * FROM named`,
  row: attachmentRow,
});

const emojiStatement = defineStatement({
  name: "needed_emojis",
  text: "SELECT id FROM custom_emojis WHERE id = ANY($1::uuid[])",
  row: (row: RawRow) => String(row.id),
});

const pictureStatement = defineStatement({
  name: "needed_pictures",
  text: "SELECT hash, upload_id FROM pictures WHERE hash = ANY($1)",
  row: z.object({ hash: z.string(), upload_id: z.string() }),
});

const importPartStatement = defineStatement({
  name: "needed_import_parts",
  text: "SELECT import_id, number, upload_id FROM import_parts WHERE upload_id = ANY($1::uuid[])",
  row: z.object({ import_id: z.string(), number: z.int(), upload_id: z.string() }),
});

/** Finds the needed ones among files of attachments. */
const findIn =
  (
    statement: typeof attachmentStatement,
    keyOf: (file: StoredAttachment) => string,
    isNeeded: (file: z.infer<typeof attachmentRow>) => boolean = () => true,
  ): FindNeeded =>
  async (connection, keys) => {
    const places = keys.flatMap((key) => parseAttachmentKey(key) ?? []);
    const rows = await connection.query(statement, [
      places.map(({ folder_id }) => folder_id),
      places.map(({ stored_name }) => stored_name),
    ]);
    return [...keys.filter((key) => parseAttachmentKey(key) === null), ...rows.filter(isNeeded).map(keyOf)];
  };

export const findNeededAttachments = findIn(attachmentStatement, attachmentKey);
export const findNeededDirectAttachments = findIn(directAttachmentStatement, directAttachmentKey);

/** The same among thumbnails. */
const findThumbnailsIn = (...[statement, keyOf]: Parameters<typeof findIn>): FindNeeded => {
  const find = findIn(statement, keyOf, ({ thumbnail_bytes }) => thumbnail_bytes !== null);
  return async (connection, keys) => (await find(connection, keys.map(thumbnailedKey))).map(thumbnailKey);
};

export const findNeededThumbnails = findThumbnailsIn(attachmentStatement, attachmentKey);
export const findNeededDirectThumbnails = findThumbnailsIn(directAttachmentStatement, directAttachmentKey);

export const findNeededEmojis: FindNeeded = async (connection, keys) => {
  const ids = keys.flatMap((key) => parseEmojiKey(key) ?? []);
  const found = await connection.query(emojiStatement, [ids]);
  return [...keys.filter((key) => parseEmojiKey(key) === null), ...found.map(emojiKey)];
};

export const findNeededPictures: FindNeeded = async (connection, keys) => {
  const hashes = keys.flatMap((key) => parsePictureKey(key)?.hash ?? []);
  const found = await connection.query(pictureStatement, [hashes]);
  return [...keys.filter((key) => parsePictureKey(key) === null), ...found.flatMap(pictureKeys)];
};

export const findNeededImportParts: FindNeeded = async (connection, keys) => {
  const ids = keys.flatMap((key) => parseImportPartKey(key)?.uploadId ?? []);
  const found = await connection.query(importPartStatement, [ids]);
  return [
    ...keys.filter((key) => parseImportPartKey(key) === null),
    ...found.map(({ import_id, number, upload_id }) =>
      importPartKey({ importId: import_id, number, uploadId: upload_id }),
    ),
  ];
};
