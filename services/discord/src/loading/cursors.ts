import { defineStatement } from "@parley/database";
import { rangeOf } from "../ids/snowflake.js";
import type { Reading } from "./context.js";

const epoch = "1970-01-01T00:00:00.000Z";
const newest = "ffffffff-ffff-7fff-bfff-ffffffffffff";

/** Query of the api for the messages before a snowflake: any identifier is a place in its histories. */
export function beforeQuery(snowflake: string): { before?: string } {
  const range = rangeOf(snowflake);
  return range === null ? {} : { before: range.from };
}

/** Query for those behind a snowflake. */
export function afterQuery(snowflake: string): { after: string } | { since: string } {
  const range = rangeOf(snowflake);
  return range === null ? { since: epoch } : { after: range.to };
}

/** The reply of the thread $1 that has $3 others behind it up to the identifier $2, the time in which is that of the order. */
const replyBefore = defineStatement({
  name: "discord_reply_before",
  text: `SELECT id FROM messages WHERE thread_id = $1::uuid AND NOT deleted
      AND (created_at, id) <= (uuid_extract_timestamp($2::uuid), $2::uuid)
    ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3`,
  row: (row) => String(row.id),
});

/** Query for so many replies of a thread before a snowflake: the api lists them from the oldest on. */
export async function threadQuery(database: Reading, rootId: string, before: string | null, limit: number) {
  const at = (before === null ? null : rangeOf(before)?.from) ?? newest;
  const [after] = await database.query(replyBefore, [rootId, at, limit]);
  return after === undefined ? {} : { after };
}
