import { defineStatement, type RawRow } from "@parley/database";
import type { Database } from "@parley/database/prisma";

const waitingStatement = defineStatement({
  name: "message_counts_waiting",
  text: "SELECT EXISTS (SELECT FROM message_count_changes) AS waiting",
  row: (row: RawRow) => row.waiting === true,
});

/** One process at a time: two would lock the same counts in different orders. */
const lockStatement = defineStatement({
  name: "message_counts_lock",
  text: "SELECT FROM pg_advisory_xact_lock(hashtextextended('message counts', 0))",
});

const addStatement = defineStatement({
  name: "message_counts_add",
  text: `WITH taken AS (DELETE FROM message_count_changes RETURNING author_id, server_id, messages),
    authors AS (
      UPDATE user_directory c SET messages = c.messages + t.messages
      FROM (SELECT author_id, sum(messages) AS messages FROM taken GROUP BY author_id) t
      WHERE c.user_id = t.author_id)
    UPDATE server_message_counts c SET messages = c.messages + t.messages
    FROM (SELECT server_id, sum(messages) AS messages FROM taken GROUP BY server_id) t
    WHERE c.server_id = t.server_id`,
});

/** Adds every committed change to the counts of messages, so that they are exact. */
export async function addMessageCounts(database: Database): Promise<void> {
  const [waiting] = await database.query(waitingStatement, []);
  if (waiting !== true) return;
  await database.transaction(async (transaction) => {
    await transaction.execute(lockStatement, []);
    await transaction.execute(addStatement, []);
  });
}
