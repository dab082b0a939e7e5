import { type Database, defineStatement } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { membershipsBatchMax, membershipsInFlightMax } from "../limits.js";

const followedStatement = defineStatement({
  name: "gateway_followed_threads",
  text: `
SELECT user_id, string_agg(target_id::text, ',') AS threads FROM notification_targets
WHERE user_id = ANY ((SELECT $1::uuid[])::uuid[]) AND kind = 'thread' AND level = 'all'
GROUP BY user_id`,
  row: z.object({ user_id: z.string(), threads: z.string() }),
});

/** Users who connect while a statement runs share the next one. */
export function createFollowedLoader({ database }: { database: Pick<Database, "query"> }) {
  async function load(userIds: readonly string[]): Promise<string[][]> {
    const rows = await database.query(followedStatement, [[...new Set(userIds)]]);
    const byUser = new Map(rows.map((row) => [row.user_id, row.threads.split(",")]));
    return userIds.map((userId) => byUser.get(userId) ?? []);
  }

  return createBatcher({ work: load, batchMax: membershipsBatchMax, inFlightMax: membershipsInFlightMax });
}

/** The ids of the root messages of the threads that a user follows. Rejects when the statement fails. */
export type LoadFollowed = ReturnType<typeof createFollowedLoader>;
