import type { Attachment } from "@parley/contracts";
import type { FileUrls } from "../files/signed-urls.js";

/** A row of the table `attachments`. */
export interface AttachmentRow {
  id: string;
  message_id: string;
  filename: string;
  stored_name: string;
  file_size: number;
  mime_type: string;
  width: number | null;
  height: number | null;
  created_at: Date;
}

/** An attachment as it goes over the wire, with a freshly signed address (docs/interface.md#4.14). */
export function toAttachment(row: AttachmentRow, urls: FileUrls): Attachment {
  return {
    id: row.id,
    message_id: row.message_id,
    filename: row.filename,
    file_size: row.file_size,
    mime_type: row.mime_type,
    url: urls.sign(row),
    width: row.width,
    height: row.height,
    created_at: row.created_at.toISOString(),
  };
}
