import { defineStatement } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { readyDmChannelsMax } from "../limits.js";
import { type ReadyFixture, startReadyFixture } from "./ready-fixture.js";
import { readyStatement } from "./ready-statement.js";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string | undefined;
  "Index Name"?: string | undefined;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Index Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    Plans: z.array(PlanNode).optional(),
  }),
);

const explainStatement = defineStatement({
  name: "test_explain_ready",
  text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${readyStatement.text}`,
  row: (row) => z.array(z.object({ Plan: PlanNode })).parse(row["QUERY PLAN"]),
});

const manyUsersStatement = defineStatement({
  name: "test_plan_users",
  text: "INSERT INTO users (username) SELECT 'plan_' || n FROM generate_series(1, $1::int) n",
  row: () => null,
});
/** With all of those users; every fourth channel was never used. */
const manyDmChannelsStatement = defineStatement({
  name: "test_plan_dm_channels",
  text: `INSERT INTO dm_channels (user_low, user_high, last_message_at)
    SELECT least(id, $1::uuid), greatest(id, $1::uuid), CASE WHEN n % 4 > 0 THEN now() - n * interval '1 second' END
    FROM (SELECT id, substring(username FROM 6)::int AS n FROM users WHERE username LIKE 'plan\\_%') others`,
  row: () => null,
});
/** Each of those users is a bot. */
const manyBotsStatement = defineStatement({
  name: "test_plan_bots",
  text: `INSERT INTO bots (user_id, name, token_hash)
    SELECT id, username, encode(sha256(username::bytea), 'hex') FROM users WHERE username LIKE 'plan\\_%'`,
  row: () => null,
});
const manyChannelsStatement = defineStatement({
  name: "test_plan_channels",
  text: "INSERT INTO channels (server_id, name, position) SELECT $1, 'c' || n, n FROM generate_series(1, $2::int) n",
  row: () => null,
});
const manyMessagesStatement = defineStatement({
  name: "test_plan_messages",
  text: `INSERT INTO messages (channel_id, server_id, author_id, content)
    SELECT $1, $2, $3, 'text' FROM generate_series(1, $4::int)`,
  row: () => null,
});
const analyzeStatement = defineStatement({ name: "test_plan_analyze", text: "ANALYZE", row: () => null });

let fixture: ReadyFixture;
beforeAll(async () => {
  fixture = await startReadyFixture();
});
afterAll(() => fixture.stop());

/** The nodes of the statement's plan for some users, after running it. */
async function explain(userIds: string[]): Promise<PlanNode[]> {
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const explained = await fixture.database.query(explainStatement, [userIds]);
  return explained.flat().flatMap(({ Plan }) => flatten(Plan));
}

describe("the statement of READY", () => {
  test("the statement of READY reads the newest DM channels of users with 20,000 by the indexes, not all of them", async () => {
    const { database, rows } = fixture;
    // Ids rise with time, so that one user is the lower half of all pairs, the other one the higher.
    const low = await rows.user();
    await database.query(manyUsersStatement, [20_000]);
    const high = await rows.user();
    for (const user of [low, high]) await database.query(manyDmChannelsStatement, [user]);
    await database.query(manyBotsStatement, []);
    await database.query(analyzeStatement, []);
    for (const user of [low, high]) {
      // The plan's part for groups is not executed for users without groups.
      const read = (await explain([user])).filter((node) => node["Actual Loops"] > 0);
      const bots = read.filter((node) => node["Relation Name"] === "bots");
      expect(bots).toMatchObject([{ "Index Name": "bots_user_id_key", "Actual Loops": readyDmChannelsMax }]);
      const scans = read.filter((node) => node["Relation Name"] === "dm_channels");
      expect(scans.map((scan) => scan["Index Name"]).sort()).toEqual([
        "dm_channels_user_high_last_message_at_created_at_id_idx",
        "dm_channels_user_high_last_message_at_created_at_id_idx",
        "dm_channels_user_low_last_message_at_created_at_id_idx",
        "dm_channels_user_low_last_message_at_created_at_id_idx",
      ]);
      expect(scans.map((scan) => scan["Actual Rows"]).sort((a, b) => a - b)).toEqual([
        0,
        0,
        readyDmChannelsMax,
        readyDmChannelsMax,
      ]);
      expect(scans.map((scan) => scan["Rows Removed by Filter"] ?? 0)).toEqual([0, 0, 0, 0]);
    }
  });

  test("the statement of READY reads no channel's messages but those that it counts, also where one of many channels has them all", async () => {
    const { database, rows, ready } = fixture;
    const [author, user] = [await rows.user(), await rows.user()];
    const server = await rows.server(author, [user]);
    await database.query(manyChannelsStatement, [server, 50]);
    const used = await rows.channel(server);
    await database.query(manyMessagesStatement, [used, server, author, 1_000]);
    await database.query(analyzeStatement, []);
    const scans = (await explain([user])).filter((node) => node["Relation Name"] === "messages");
    const rowsRead = scans.map(
      (scan) => (scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0)) * scan["Actual Loops"],
    );
    expect(Math.max(...rowsRead)).toBe(1_000);
    expect((await ready(user)).unread_counts).toEqual([{ channel_id: used, unread_count: 1_000 }]);
  });
});
