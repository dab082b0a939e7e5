import { defineStatement } from "@parley/database";
import { rangeOf } from "../ids/snowflake.js";
import type { Reading } from "./context.js";

const newest = "ffffffff-ffff-7fff-bfff-ffffffffffff";

/** Query for what is before a snowflake: the histories of the api take every identifier, also of nothing, as a place. */
export const beforeQuery = (snowflake?: string): { readonly before: string } => ({
  before: rangeOf(snowflake ?? "")?.from ?? newest,
});

/** Query for what is behind a snowflake. */
export const afterQuery = (snowflake: string): { readonly after: string } => ({
  after: rangeOf(snowflake)?.to ?? newest,
});

/** Query for what begins at a snowflake. */
export function fromQuery(snowflake: string): { readonly after: string } {
  const value = BigInt(snowflake);
  return afterQuery(String(value === 0n ? value : value - 1n));
}

/** The reply of the thread $1 that has $3 others behind it before the identifier $2, the time in which is that of the order. */
const replyBefore = defineStatement({
  name: "discord_reply_before",
  text: `SELECT id FROM messages WHERE thread_id = $1::uuid AND NOT deleted
      AND (created_at, id) < (uuid_extract_timestamp($2::uuid), $2::uuid)
    ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3`,
  row: (row) => String(row.id),
});

/**
 * So many replies of a thread, newest first: the last ones before an identifier, or the first ones behind one.
 *
 * @param list the api's page of so many replies behind one of them, or of the first ones, oldest first
 */
export async function listReplies<Reply extends { readonly id: string }>(
  database: Reading,
  list: (after: string | undefined) => Promise<Reply[]>,
  { rootId, limit, before = newest, after }: { rootId: string; limit: number; before?: string; after?: string },
): Promise<Reply[]> {
  if (after !== undefined) return (await list(after)).reverse();
  const [start] = await database.query(replyBefore, [rootId, before, limit]);
  return (await list(start)).filter(({ id }) => id < before).reverse();
}
