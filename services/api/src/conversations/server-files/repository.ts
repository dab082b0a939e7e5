import type { FileKind } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { attachmentRow } from "../../platform/files/attachment.js";

const fileRow = attachmentRow.extend({ channel_id: z.string() });

/** `$5` null: every kind. Others than pictures, videos and sounds are files. */
const pageStatement = defineStatement({
  name: "server_files",
  text: `SELECT id, message_id, filename, stored_name, file_size, mime_type, width, height, created_at, thumbnail_bytes,
      channel_id
    FROM attachments
    WHERE server_id = $1 AND channel_id = ANY ($2::uuid[]) AND ($3::uuid IS NULL OR id < $3)
      AND ($5::text IS NULL OR $5 = CASE split_part(mime_type, '/', 1)
        WHEN 'image' THEN 'image' WHEN 'video' THEN 'video' WHEN 'audio' THEN 'audio' ELSE 'file' END)
    ORDER BY id DESC LIMIT $4`,
  row: fileRow,
});

/** Files of channels of a server, newest first. */
export function findFiles(
  connection: Queryable,
  page: {
    serverId: string;
    channelIds: readonly string[];
    before: string | undefined;
    limit: number;
    kind: FileKind | undefined;
  },
) {
  const { serverId, channelIds, before, limit, kind } = page;
  return connection.query(pageStatement, [serverId, channelIds, before ?? null, limit, kind ?? null]);
}
