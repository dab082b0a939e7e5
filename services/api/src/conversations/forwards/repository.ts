import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { attachmentRow } from "../../platform/files/attachment.js";
import { forBoth, type KindName } from "../core/kind.js";

const fileRow = attachmentRow.extend({ upload_id: z.string().nullable() });
export type ForwardedFile = z.infer<typeof fileRow>;

const filesStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}forward_files`,
    text: `SELECT id, message_id, upload_id, filename, stored_name, file_size, mime_type, width, height, created_at,
        thumbnail_bytes
      FROM ${prefix}attachments WHERE message_id = $1 AND forwarded = $2 ORDER BY id`,
    row: fileRow,
  }),
);

/** The files of a message: its own, or those of the message that it forwards. */
export function findFilesToForward(
  connection: Queryable,
  kind: KindName,
  { messageId, isForward }: { messageId: string; isForward: boolean },
): Promise<ForwardedFile[]> {
  return connection.query(filesStatements[kind], [messageId, isForward]);
}
