import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { listedMessages, type MessageRow, messageRow } from "../messages/repository.js";

const firstStatement = defineStatement({
  name: "thread_first",
  text: listedMessages(
    `SELECT * FROM messages m
      WHERE m.thread_id = $1 AND NOT m.deleted
      ORDER BY m.created_at, m.id LIMIT $2`,
    "m.created_at, m.id",
  ),
  row: messageRow,
});

/** A cursor of another thread finds nothing; a reply that is gone still marks its place, by the time in its id. */
const afterStatement = defineStatement({
  name: "thread_after",
  text: listedMessages(
    `SELECT * FROM messages m
      WHERE m.thread_id = $1 AND NOT m.deleted
        AND (m.created_at, m.id) > (uuid_extract_timestamp($3), $3)
        AND NOT EXISTS (SELECT FROM messages cursor WHERE cursor.id = $3 AND cursor.thread_id IS DISTINCT FROM $1)
      ORDER BY m.created_at, m.id LIMIT $2`,
    "m.created_at, m.id",
  ),
  row: messageRow,
});

/** A page of a thread's replies, oldest first. */
export function findReplies(
  connection: Queryable,
  page: { rootId: string; after: string | undefined; limit: number },
): Promise<MessageRow[]> {
  const { rootId, after, limit } = page;
  if (after === undefined) return connection.query(firstStatement, [rootId, limit]);
  return connection.query(afterStatement, [rootId, limit, after]);
}
