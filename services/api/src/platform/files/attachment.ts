import type { FileUrls } from "@parley/auth";
import type { Attachment } from "@parley/contracts";
import { z } from "zod";

/** A row of the table `attachments`. */
export const attachmentRow = z.object({
  id: z.string(),
  message_id: z.string(),
  filename: z.string(),
  stored_name: z.string(),
  file_size: z.int(),
  mime_type: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  created_at: z.coerce.date(),
  thumbnail_bytes: z.int().nullable(),
});
export type AttachmentRow = z.infer<typeof attachmentRow>;

/**
 * An attachment as it goes over the wire, with a freshly signed address (docs/protocol/objects.md#4.14). One that is stored
 * in this moment has no thumbnail yet.
 */
export function toAttachment(
  row: Omit<AttachmentRow, "thumbnail_bytes"> & Partial<AttachmentRow>,
  urls: FileUrls,
): Attachment {
  const url = urls.sign(row);
  return {
    id: row.id,
    message_id: row.message_id,
    filename: row.filename,
    file_size: row.file_size,
    mime_type: row.mime_type,
    url,
    ...(row.thumbnail_bytes ? { thumbnail_url: `${url}&thumbnail=true` } : {}),
    width: row.width,
    height: row.height,
    created_at: row.created_at.toISOString(),
  };
}
