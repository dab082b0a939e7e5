import { HistoryEntry } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { HistoryQuery } from "./schema.js";

/** Not smaller than any id. */
const uuidMax = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The moderated user and the server. */
export interface HistoryAddress {
  server_id: string;
  user_id: string;
}

/** As the predicate of the index `audit_log_entries_members_idx` has them. */
const auditedActions = `'member_kick', 'member_ban', 'member_unban', 'member_timeout', 'member_timeout_remove'`;

/**
 * Ids of all four tables begin with their time, so that one cursor serves them. Each part reads no more rows of its
 * index than a page has. Exported for the test of its plan.
 */
export const pageStatement = defineStatement({
  name: "member_history_page",
  text: `SELECT * FROM (
      (SELECT id, replace(action, 'member_', '') AS type, actor_id, details ->> 'reason' AS reason,
          details - 'reason' AS details, created_at
        FROM audit_log_entries
        WHERE server_id = $1 AND target_id = $2 AND action IN (${auditedActions}) AND id < $3
        ORDER BY id DESC LIMIT $4)
      UNION ALL
      (SELECT id, 'automod', NULL::uuid, matched_term,
          jsonb_build_object('rule_type', rule_type, 'action_taken', action_taken, 'channel_id', channel_id,
            'message_content', message_content), created_at
        FROM automod_logs WHERE server_id = $1 AND user_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4)
      UNION ALL
      (SELECT id, 'report', closed_by, reasons[1],
          jsonb_build_object('status', status, 'category', category, 'source', source, 'message_id',
            CASE target_type WHEN 'message' THEN target_id END, 'channel_id', channel_id, 'content', content,
            'reporters', cardinality(reporters), 'note', note), created_at
        FROM reports WHERE server_id = $1 AND author_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4)
      UNION ALL
      (SELECT id, 'note', author_id, text, '{}'::jsonb, created_at
        FROM member_notes WHERE server_id = $1 AND user_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4)) AS entries
    ORDER BY id DESC LIMIT $4`,
  row: HistoryEntry.extend({ created_at: z.date().transform((time) => time.toISOString()) }),
});

/** A page of the actions that concern a user in a server, the newest first. */
export function findHistory(
  connection: Queryable,
  { server_id, user_id }: HistoryAddress,
  { before = uuidMax, limit }: HistoryQuery,
): Promise<HistoryEntry[]> {
  return connection.query(pageStatement, [server_id, user_id, before, limit]);
}

/** @throws isForeignKeyViolation when the account or the server is gone */
export async function insertNote(
  { prisma }: Queryable,
  note: HistoryAddress & { author_id: string; text: string },
): Promise<{ id: string; created_at: Date }> {
  return prisma.memberNote.create({ data: note, select: { id: true, created_at: true } });
}

/** A note about a user in a server. */
export async function findNote(
  { prisma }: Queryable,
  { server_id, user_id }: HistoryAddress,
  id: string,
): Promise<{ author_id: string | null } | null> {
  return prisma.memberNote.findFirst({ where: { id, server_id, user_id }, select: { author_id: true } });
}

export async function deleteNote({ prisma }: Queryable, id: string): Promise<void> {
  await prisma.memberNote.deleteMany({ where: { id } });
}
