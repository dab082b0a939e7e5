import type { FileUrls } from "@parley/auth";
import type { Attachment } from "@parley/contracts";
import { defineStatement, jsonTime, type Session } from "@parley/database";
import { z } from "zod";
import { toAttachment } from "../../platform/files/attachment.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import type { TablePrefix } from "../core/kind.js";

/** A new id, and the time in it as JSON has it. */
const newId = z.object({ id: z.string(), time: z.string() });

/** Ids of one session grow, so the files of a message keep their order. */
const newIdsStatement = defineStatement({
  name: "message_new_ids",
  text: `SELECT id, ${jsonTime("uuid_extract_timestamp(id)")} AS time
    FROM (SELECT uuidv7() AS id FROM generate_series(1, $1::integer)) AS made`,
  row: newId,
});

/** Rows of attachments as {@link storeAttachments} takes them, each with the position of its message. */
export interface AttachmentInput extends Omit<ReceivedFile, "folder" | "folder_id"> {
  position: number;
  id: string;
  upload_id: string;
}

/** CTE that stores the attachments in a parameter, with the messages in `timed`. */
export const storeAttachments = (parameter: string, prefix: TablePrefix = "") => `,
    attached AS (
      INSERT INTO ${prefix}attachments (id, message_id, upload_id, filename, stored_name, file_size, mime_type, width, height,
        forwarded, created_at)
      SELECT input.id, timed.id, input.upload_id, input.filename, input.stored_name, input.file_size, input.mime_type,
        input.width, input.height, coalesce(input.forwarded, false), uuid_extract_timestamp(timed.id)
      FROM jsonb_to_recordset(${parameter}::jsonb) AS input (position bigint, id uuid, upload_id uuid, filename text,
          stored_name text, file_size integer, mime_type text, width integer, height integer, forwarded boolean)
      JOIN timed USING (position))`;

/** A message that will be stored under an id, and the attachments for its files. */
export interface NamedMessage {
  id: string;
  attachments: Attachment[];
  rows: Omit<AttachmentInput, "position">[];
}

/**
 * Gives ids to messages, some of them with files: the signed address of a file contains that of its message, so it must
 * be known before the event is written. As always, the caller has the locks of their channels, so that ids are in the
 * order of storing (docs/processes/events.md#outbox).
 *
 * @param filesOf the files of each message, in the order in which the messages are stored
 */
export async function nameMessages(
  session: Session,
  filesOf: readonly (readonly ReceivedFile[])[],
  urls: FileUrls,
): Promise<NamedMessage[]> {
  const count = filesOf.reduce((sum, files) => sum + 1 + files.length, 0);
  const ids = (await session.query(newIdsStatement, [count])).values();
  const next = () => newId.parse(ids.next().value);
  return filesOf.map((files) => {
    const { id: message_id, time } = next();
    const rows = files.map(({ folder: _, folder_id, ...file }) => ({ ...file, id: next().id, upload_id: folder_id }));
    const created_at = new Date(time);
    return {
      id: message_id,
      rows,
      attachments: rows.map((row) => toAttachment({ ...row, message_id, created_at }, urls)),
    };
  });
}
