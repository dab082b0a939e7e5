import type { FileUrls } from "@parley/auth";
import { type ForwardedMessage, MessageAuthor } from "@parley/contracts";
import { z } from "zod";
import { attachmentRow, toAttachment } from "../../platform/files/attachment.js";
import type { TablePrefix } from "./kind.js";

/** The message that a message forwards, as the copy stores it: its files are rows of their own. */
export const storedForward = z.object({
  server_id: z.string().nullable(),
  channel_id: z.string(),
  message_id: z.string(),
  author: MessageAuthor.nullable(),
  content: z.string(),
  created_at: z.string(),
});
export type StoredForward = z.infer<typeof storedForward>;

/** Shape of {@link forwardedColumn}. */
export const forwardedRow = storedForward.extend({ attachments: z.array(attachmentRow) });
export type ForwardedRow = z.infer<typeof forwardedRow>;

/** Column of a message `m`: the message that it forwards, with the rows of its files; null for most. */
export const forwardedColumn = (prefix: TablePrefix) => `CASE WHEN m.forwarded IS NOT NULL THEN m.forwarded ||
    jsonb_build_object('attachments', (
      SELECT coalesce(jsonb_agg(to_jsonb(a) ORDER BY a.id), '[]')
      FROM ${prefix}attachments a WHERE a.message_id = m.id AND a.forwarded)) END AS forwarded`;

/** The key of a message that forwards another one; none for others. */
export function forwardedKeyOf(row: ForwardedRow | null, urls: FileUrls): { forwarded?: ForwardedMessage } {
  if (row === null) return {};
  return { forwarded: { ...row, attachments: row.attachments.map((file) => toAttachment(file, urls)) } };
}
