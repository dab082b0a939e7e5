import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** How long a process has the files that it took; then, or after a failure of the storage, any process takes them again. */
const takenSeconds = 60;

const row = z.object({ id: z.string(), key: z.string() });
export type FileToDelete = z.infer<typeof row>;

const takeStatement = defineStatement({
  name: "files_to_delete_take",
  text: `UPDATE files_to_delete SET due_at = now() + make_interval(secs => $2) WHERE id IN (
      SELECT id FROM files_to_delete WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING id, key`,
  row,
});
const forgetStatement = defineStatement({
  name: "files_to_delete_forget",
  text: "DELETE FROM files_to_delete WHERE id = ANY ($1::uuid[])",
});

/** Takes some files whose rows are gone; those of other processes are left to them. */
export function takeFiles(connection: Queryable, size: number): Promise<FileToDelete[]> {
  return connection.query(takeStatement, [size, takenSeconds]);
}

/** Notes that files are deleted. */
export async function forgetFiles(connection: Queryable, ids: readonly string[]): Promise<void> {
  await connection.execute(forgetStatement, [ids]);
}
