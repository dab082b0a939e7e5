/** Largest attachment, in bytes (docs/protocol/messages.md#7.6). */
export const attachmentBytesMax = 52_428_800;
/** Attachments of one message (docs/protocol/limits.md#16.1). */
export const attachmentsMax = 10;
/** Media types that are accepted by their signature, beside text (docs/protocol/messages.md#7.6). */
export const attachmentTypes = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "video/mp4",
  "video/webm",
  "audio/mpeg",
  "audio/ogg",
  "audio/webm",
  "application/pdf",
] as const;
