import { defineStatement, type Statement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { StoredAttachment } from "../../platform/files/storage/keys.js";

/** The deletions of one statement. */
const Deleted = z.object({
  deleted: z.int(),
  files: z.array(z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() })),
});

interface Deletion {
  /** Deletes at most `$2` of the rows that belonged to `$1`. */
  readonly delete: Statement<z.infer<typeof Deleted>>;
  /** Notes that no more of them are stored. */
  readonly finish: Statement<never>;
}

const defineDeletion = (table: string, column: string, text: string): Deletion => ({
  delete: defineStatement({ name: `orphaned_${table}`, text, row: Deleted, isPlannedEachTime: true }),
  finish: defineStatement({
    name: `orphaned_${table}_finish`,
    text: `DELETE FROM orphans WHERE table_name = '${table}' AND parent_id = $1
      AND NOT EXISTS (SELECT FROM ${table} WHERE ${column} = $1)`,
  }),
});

/**
 * Rows that another transaction is at are left to it, so that the two cannot deadlock: assignments go with their
 * member, members with their account. Should it roll back, they are still there the next time.
 */
const deletionOf = (table: string, column: string): Deletion =>
  defineDeletion(
    table,
    column,
    `WITH gone AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1)
    SELECT count(*)::integer AS deleted, '[]'::json AS files FROM gone`,
  );

/**
 * The tables whose rows stay when their parent row is deleted; triggers on the parents' tables record these in
 * `orphans`.
 */
const deletions: ReadonlyMap<string, Deletion> = new Map([
  ["bans", deletionOf("bans", "server_id")],
  [
    // Groups of direct messages that nobody is in any more. Their files are orphaned files then.
    "dm_groups",
    {
      delete: defineStatement({
        name: "orphaned_dm_groups",
        text: `WITH gone AS (
            DELETE FROM dm_messages WHERE id = ANY (ARRAY(
              SELECT id FROM dm_messages WHERE channel_id = $1 LIMIT $2)) RETURNING 1),
          noted AS (
            DELETE FROM deleted_dm_messages WHERE id = ANY (ARRAY(
              SELECT id FROM deleted_dm_messages WHERE channel_id = $1 LIMIT $2)) RETURNING 1)
          SELECT greatest((SELECT count(*) FROM gone), (SELECT count(*) FROM noted))::integer AS deleted, '[]'::json AS files`,
        row: Deleted,
        isPlannedEachTime: true,
      }),
      finish: defineStatement({
        name: "orphaned_dm_groups_finish",
        text: `WITH gone AS (DELETE FROM dm_channels WHERE id = $1)
          DELETE FROM orphans WHERE table_name = 'dm_groups' AND parent_id = $1`,
      }),
    },
  ],
  ["insight_marks", deletionOf("insight_marks", "server_id")],
  ["member_notes", deletionOf("member_notes", "server_id")],
  ["member_roles", deletionOf("member_roles", "role_id")],
  // Their assignments are removed before, as those of the server's roles, which the order of `orphans` puts first.
  ["members", deletionOf("members", "server_id")],
  ["membership_changes", deletionOf("membership_changes", "server_id")],
  [
    "messages",
    // In the order of the history index: deleted messages and thread replies, then root messages, each the newest
    // first. So replies go before their roots and answers before the messages that they answer, and a batch takes no
    // rows with it that it does not count. Messages with more reactions or votes than ten times the size go after their
    // reactions and votes.
    defineDeletion(
      "messages",
      "channel_id",
      `WITH doomed AS MATERIALIZED (
        SELECT m.id FROM messages m WHERE m.channel_id = $1
        ORDER BY m.listed, m.created_at DESC, m.id DESC LIMIT $2),
      reacted AS (
        DELETE FROM reactions WHERE ctid = ANY (ARRAY(
          SELECT r.ctid FROM doomed d CROSS JOIN LATERAL (
            SELECT ctid FROM reactions WHERE message_id = d.id OFFSET 0) r LIMIT $2 * 10)) RETURNING 1),
      voted AS (
        DELETE FROM poll_votes WHERE ctid = ANY (ARRAY(
          SELECT v.ctid FROM doomed d JOIN polls p ON p.message_id = d.id CROSS JOIN LATERAL (
            SELECT ctid FROM poll_votes WHERE poll_id = p.id OFFSET 0) v LIMIT $2 * 10)) RETURNING 1),
      alone AS MATERIALIZED (
        SELECT (SELECT count(*) FROM reacted) < $2 * 10 AND (SELECT count(*) FROM voted) < $2 * 10 AS is_alone),
      gone AS (DELETE FROM messages m USING doomed, alone WHERE m.id = doomed.id AND alone.is_alone)
      SELECT CASE WHEN is_alone THEN (SELECT count(*)::integer FROM doomed) ELSE $2::integer END AS deleted, CASE
          WHEN is_alone THEN (
            SELECT coalesce(json_agg(json_build_object(
              'message_id', a.message_id, 'stored_name', a.stored_name, 'upload_id', a.upload_id)), '[]')
            FROM attachments a JOIN doomed ON doomed.id = a.message_id)
          ELSE '[]' END AS files
      FROM alone`,
    ),
  ],
  ["read_states", deletionOf("read_states", "channel_id")],
  ["reports", deletionOf("reports", "server_id")],
  ["timeouts", deletionOf("timeouts", "server_id")],
]);

/**
 * Locks the oldest entry of `orphans` that no other process has locked. Entries of tables that only a later version of
 * the program lists are left to processes of that version.
 */
const nextStatement = defineStatement({
  name: "orphaned_next",
  text: `SELECT table_name, parent_id FROM orphans WHERE table_name = ANY ($1)
    ORDER BY created_at, table_name, parent_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  row: z.object({ table_name: z.string(), parent_id: z.string() }),
});

/**
 * Without it, the planner would read a table as a whole for each batch, if the table was empty at its last ANALYZE or
 * if the statistics attribute many rows to this parent.
 */
const indexesOnlyStatement = defineStatement({
  name: "orphaned_by_indexes",
  text: "SELECT set_config('enable_seqscan', 'off', true)",
  row: () => null,
});

/**
 * Deletes some orphans.
 *
 * @returns the files that they had; null when nothing waits, or others are at all that does
 */
export async function deleteBatch(
  transaction: Transaction,
  size: number,
): Promise<{ rows: number; files: StoredAttachment[] } | null> {
  const [next] = await transaction.query(nextStatement, [[...deletions.keys()]]);
  const deletion = deletions.get(next?.table_name ?? "");
  if (next === undefined || deletion === undefined) return null;
  await transaction.query(indexesOnlyStatement, []);
  const [batch] = await transaction.query(deletion.delete, [next.parent_id, size]);
  if (batch === undefined) return null;
  const done = { rows: batch.deleted, files: batch.files };
  if (batch.deleted === size) return done;
  const finished = await transaction.execute(deletion.finish, [next.parent_id]);
  return batch.deleted + finished === 0 ? null : done;
}
