import { isUuid, type PictureSize, pictureSizes } from "@parley/contracts";

/**
 * Folders of the storage, by their content. Each has a job of its own that deletes orphans: a process of a version that
 * does not know the rows of a folder leaves its files alone.
 */
export const folders = {
  attachments: "attachments",
  directAttachments: "dm-attachments",
  emojis: "emojis",
  imports: "imports",
  pictures: "pictures",
  thumbnails: "thumbnails",
  directThumbnails: "dm-thumbnails",
} as const;

/** A folder with attachments of messages. */
export type AttachmentFolder = typeof folders.attachments | typeof folders.directAttachments;

const attachmentFolders: readonly AttachmentFolder[] = [folders.attachments, folders.directAttachments];

/** An attachment by where its bytes are. */
export interface StoredAttachment {
  message_id: string;
  stored_name: string;
  /** Set when it was sent with its message, which had no id yet when the bytes were stored. */
  upload_id: string | null;
}

/** Where the bytes of an attachment of a channel's message are. */
export const attachmentKey = (file: StoredAttachment): string => keyIn(folders.attachments, file);

/** Where the bytes of an attachment of a direct message are. */
export const directAttachmentKey = (file: StoredAttachment): string => keyIn(folders.directAttachments, file);

const keyIn = (folder: AttachmentFolder, { message_id, stored_name, upload_id }: StoredAttachment) =>
  storedKey({ folder, folder_id: upload_id ?? message_id, stored_name });

/** The parts of an attachment's key: the id of an upload or a message, and a stored name. */
export interface AttachmentPlace {
  folder: AttachmentFolder;
  folder_id: string;
  stored_name: string;
}

/** The key of the file at a place. */
export function storedKey({ folder, folder_id, stored_name }: AttachmentPlace): string {
  return `${folder}/${folder_id}/${stored_name}`;
}

/** Where a custom emoji's bytes are. */
export function emojiKey(emojiId: string): string {
  return `${folders.emojis}/${emojiId}`;
}

/** Where the thumbnail of an attachment is whose bytes are at a key: in a folder of its own, by the same names. */
export const thumbnailKey = (key: string): string => key.replace(/^(dm-)?attachments\//, "$1thumbnails/");

/** The inverse of {@link thumbnailKey}. */
export const thumbnailedKey = (key: string): string => key.replace(/^(dm-)?thumbnails\//, "$1attachments/");

/** A piece of an archive that is imported. */
export interface ImportPartPlace {
  importId: string;
  number: number;
  uploadId: string;
}

/** Where a piece of an archive is. */
export function importPartKey({ importId, number, uploadId }: ImportPartPlace): string {
  return `${folders.imports}/${importId}/${number}-${uploadId}`;
}

/** The piece whose bytes are at a key; null for a key that is none of ours. */
export function parseImportPartKey(key: string): ImportPartPlace | null {
  const [, importId, name = ""] = key.split("/");
  const [, number, uploadId] = /^(\d+)-(.+)$/.exec(name) ?? [];
  if (!isUuid(importId) || !isUuid(uploadId)) return null;
  const place = { importId, number: Number(number), uploadId };
  return importPartKey(place) === key ? place : null;
}

/** A picture by the hash in its address and the upload that stored it. */
export interface PicturePlace {
  hash: string;
  upload_id: string;
}

/** Where one size of a picture is. */
export function pictureKey({ hash, upload_id }: PicturePlace, size: PictureSize): string {
  return `${folders.pictures}/${hash}/${upload_id}-${size}`;
}

/** Where all sizes of a picture are. */
export function pictureKeys(place: PicturePlace): string[] {
  return pictureSizes.map((size) => pictureKey(place, size));
}

/** The place of the picture that a key belongs to, as one of its sizes; null for a key that is none of ours. */
export function parsePictureKey(key: string): PicturePlace | null {
  const [, hash = "", name = ""] = key.split("/");
  const place = { hash, upload_id: name.slice(0, name.lastIndexOf("-")) };
  return isUuid(place.upload_id) && pictureKeys(place).includes(key) ? place : null;
}

/** The place of an attachment whose bytes are at a key; null for a key that is none of ours. */
export function parseAttachmentKey(key: string): AttachmentPlace | null {
  const [name, folder_id, stored_name] = key.split("/");
  const folder = attachmentFolders.find((known) => known === name);
  if (folder === undefined || !isUuid(folder_id) || stored_name === undefined) return null;
  const place = { folder, folder_id, stored_name };
  return storedKey(place) === key ? place : null;
}

/** The custom emoji whose bytes are at a key; null for a key that is none of ours. */
export function parseEmojiKey(key: string): string | null {
  const [, emojiId] = key.split("/");
  return isUuid(emojiId) && emojiKey(emojiId) === key ? emojiId : null;
}
