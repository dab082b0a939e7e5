import { isUuid } from "@parley/contracts";

/** Folders of the storage, by what is in them. */
export const folders = { attachments: "attachments", emojis: "emojis" } as const;

/** An attachment by the last two segments of its address (docs/interface.md#7.6). */
export interface AttachmentName {
  message_id: string;
  stored_name: string;
}

/** An attachment by where its bytes are. */
export interface StoredAttachment {
  message_id: string;
  stored_name: string;
  /** Set when it was sent with its message, which had no id yet when the bytes were stored. */
  upload_id: string | null;
}

/** Where an attachment's bytes are. */
export function attachmentKey({ message_id, stored_name, upload_id }: StoredAttachment): string {
  return storedKey({ folder_id: upload_id ?? message_id, stored_name });
}

/** The id of an upload or a message, and a stored name: what the key of an attachment is made of. */
export interface AttachmentPlace {
  folder_id: string;
  stored_name: string;
}

/** The key of what is stored at a place. */
export function storedKey({ folder_id, stored_name }: AttachmentPlace): string {
  return `${folders.attachments}/${folder_id}/${stored_name}`;
}

/** Where a custom emoji's bytes are. */
export function emojiKey(emojiId: string): string {
  return `${folders.emojis}/${emojiId}`;
}

/** The place of an attachment whose bytes are at a key; null for a key that is none of ours. */
export function parseAttachmentKey(key: string): AttachmentPlace | null {
  const [, folder_id, stored_name] = key.split("/");
  if (!isUuid(folder_id) || stored_name === undefined) return null;
  const place = { folder_id, stored_name };
  return storedKey(place) === key ? place : null;
}

/** The custom emoji whose bytes are at a key; null for a key that is none of ours. */
export function parseEmojiKey(key: string): string | null {
  const [, emojiId] = key.split("/");
  return isUuid(emojiId) && emojiKey(emojiId) === key ? emojiId : null;
}
