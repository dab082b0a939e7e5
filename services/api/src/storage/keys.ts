import { isUuid } from "@parley/contracts";

/** Folders of the storage, by what is in them. */
export const folders = { attachments: "attachments", emojis: "emojis" } as const;

/** An attachment by the last two segments of its address (docs/interface.md#7.6). */
export interface AttachmentName {
  message_id: string;
  stored_name: string;
}

/** Where an attachment's bytes are. */
export function attachmentKey({ message_id, stored_name }: AttachmentName): string {
  return `${folders.attachments}/${message_id}/${stored_name}`;
}

/** Where a custom emoji's bytes are. */
export function emojiKey(emojiId: string): string {
  return `${folders.emojis}/${emojiId}`;
}

/** The attachment whose bytes are at a key; null for a key that is none of ours. */
export function parseAttachmentKey(key: string): AttachmentName | null {
  const [, message_id, stored_name] = key.split("/");
  if (!isUuid(message_id) || stored_name === undefined) return null;
  const name = { message_id, stored_name };
  return attachmentKey(name) === key ? name : null;
}

/** The custom emoji whose bytes are at a key; null for a key that is none of ours. */
export function parseEmojiKey(key: string): string | null {
  const [, emojiId] = key.split("/");
  return isUuid(emojiId) && emojiKey(emojiId) === key ? emojiId : null;
}
