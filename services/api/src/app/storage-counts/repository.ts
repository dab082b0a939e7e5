import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";

const waitingStatement = defineStatement({
  name: "storage_changes_waiting",
  text: "SELECT EXISTS (SELECT FROM storage_changes) AS waiting",
  row: (row: RawRow) => row.waiting === true,
});

/** One process at a time: two would lock the same rows in different orders. */
const lockStatement = defineStatement({
  name: "storage_changes_lock",
  text: "SELECT FROM pg_advisory_xact_lock(hashtextextended('storage changes', 0))",
});

const addStatement = defineStatement({
  name: "storage_changes_add",
  text: `WITH taken AS (DELETE FROM storage_changes RETURNING author_id, channel_id, server_id, bytes, files),
    accounts AS (
      INSERT INTO account_storage AS s (author_id, channel_id, server_id, bytes, files)
      SELECT author_id, channel_id, server_id, sum(bytes), sum(files) FROM taken
      WHERE author_id IS NOT NULL GROUP BY author_id, channel_id, server_id
      ON CONFLICT (author_id, channel_id) DO UPDATE SET bytes = s.bytes + excluded.bytes, files = s.files + excluded.files),
    channels AS (
      INSERT INTO channel_storage AS s (channel_id, bytes, files)
      SELECT channel_id, sum(bytes), sum(files) FROM taken WHERE server_id IS NOT NULL GROUP BY channel_id
      ON CONFLICT (channel_id) DO UPDATE SET bytes = s.bytes + excluded.bytes, files = s.files + excluded.files)
    UPDATE storage_total t SET bytes = t.bytes + c.bytes, files = t.files + c.files
    FROM (SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(files), 0) AS files FROM taken) c`,
});
const emptyStatements = ["account_storage", "channel_storage"].map((table) =>
  defineStatement({ name: `${table}_empty`, text: `DELETE FROM ${table} WHERE files = 0` }),
);

/** Adds every committed change to the sums, so that a reader has little to add. */
export async function addStorageChanges(database: Database): Promise<void> {
  const [waiting] = await database.query(waitingStatement, []);
  if (waiting !== true) return;
  await database.transaction(async (transaction) => {
    await transaction.execute(lockStatement, []);
    await transaction.execute(addStatement, []);
    for (const statement of emptyStatements) await transaction.execute(statement, []);
  });
}

/** Rows that another transaction is at are left for the next time, so that a deletion does not wait for a batch. */
const countStatement = (prefix: "" | "dm_") =>
  defineStatement({
    name: `${prefix}attachments_count_old`,
    text: `WITH old AS (
        SELECT id, message_id FROM ${prefix}attachments WHERE NOT counted LIMIT $1 FOR UPDATE SKIP LOCKED),
      ${
        prefix === ""
          ? `gone AS (
        DELETE FROM attachments a USING old JOIN messages m ON m.id = old.message_id AND m.deleted WHERE a.id = old.id),`
          : ""
      }
      counted AS (
        UPDATE ${prefix}attachments a SET counted = true, author_id = m.author_id, channel_id = m.channel_id
          ${prefix === "" ? ", server_id = m.server_id" : ""}
        FROM old JOIN ${prefix}messages m ON m.id = old.message_id ${prefix === "" ? "AND NOT m.deleted" : ""}
        WHERE a.id = old.id)
      SELECT count(*)::integer AS count FROM old`,
    row: (row: RawRow) => Number(row.count),
  });
const countStatements = [countStatement(""), countStatement("dm_")];

/** Counts attachments of a time before there were counts, a few of each kind. @returns how many there were */
export async function countOldFiles(connection: Queryable, size: number): Promise<number> {
  let rows = 0;
  for (const statement of countStatements) rows += (await connection.query(statement, [size]))[0] ?? 0;
  return rows;
}
