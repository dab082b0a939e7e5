import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { forBoth, type KindName } from "../core/kind.js";

/** Returns a row while a thumbnail is to be made; indexes answer it. */
export const dueThumbnails = `SELECT FROM attachments WHERE thumbnail_due_at <= now()
  UNION ALL SELECT FROM dm_attachments WHERE thumbnail_due_at <= now()`;

/** How long a process has a picture to itself; longer than its scaling takes at most. */
const claimSeconds = 120;

const row = z.object({
  id: z.string(),
  message_id: z.string(),
  stored_name: z.string(),
  upload_id: z.string().nullable(),
});
/** A picture whose thumbnail a process makes. */
export type ClaimedPicture = z.infer<typeof row> & { kind: KindName };

const claimStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}thumbnail_claim`,
    text: `UPDATE ${prefix}attachments SET thumbnail_due_at = now() + make_interval(secs => ${claimSeconds}) WHERE id = (
        SELECT id FROM ${prefix}attachments WHERE thumbnail_due_at <= now()
        ORDER BY thumbnail_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, message_id, stored_name, upload_id`,
    row,
  }),
);

const setStatements = forBoth((prefix) =>
  defineStatement({
    name: `${prefix}thumbnail_set`,
    text: `UPDATE ${prefix}attachments SET thumbnail_due_at = NULL, thumbnail_bytes = coalesce($2, thumbnail_bytes)
      WHERE id = $1`,
  }),
);

/** Takes the picture that waits longest; undefined when none does. */
export async function claimPicture(connection: Queryable): Promise<ClaimedPicture | undefined> {
  for (const kind of ["channel", "direct"] as const) {
    const [claimed] = await connection.query(claimStatements[kind], []);
    if (claimed !== undefined) return { ...claimed, kind };
  }
  return undefined;
}

/**
 * Notes the size of a thumbnail that is stored, or that none can be made.
 *
 * @returns whether the attachment is still there
 */
export async function setThumbnail(
  connection: Queryable,
  { id, kind }: ClaimedPicture,
  bytes: number | null,
): Promise<boolean> {
  return (await connection.execute(setStatements[kind], [id, bytes])) > 0;
}
