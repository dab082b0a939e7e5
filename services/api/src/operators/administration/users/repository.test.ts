import { defineStatement, type SqlValue } from "@parley/database";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countSearch, findUsers, pageStatement } from "./repository.js";

/** 20,000 accounts; a search for "a" finds 15,000. */
const manyUsers = defineStatement({
  name: "test_many_users",
  text: `INSERT INTO users (username)
    SELECT (ARRAY['anna', 'Hanna', 'cleo', 'DAVE'])[1 + n % 4] || '_' || n FROM generate_series(1, 20000) AS n`,
});
const vacuum = defineStatement({ name: "test_vacuum", text: "VACUUM ANALYZE" });
const preparedSearches = defineStatement({
  name: "test_prepared_searches",
  text: "SELECT name FROM pg_prepared_statements WHERE name LIKE 'admin_users%'",
  row: (row) => row.name,
});

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = pino({ enabled: false });
  // One connection: preparedSearches reads its prepared statements.
  database = await connectDatabase({ url: testDatabase.url, poolMax: 1, applicationName: "test", logger });
  await database.execute(manyUsers, []);
  await database.execute(vacuum, []);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** The lines of a statement's plan, after running it. */
async function explain({ name, text }: { name: string; text: string }, values: readonly SqlValue[]): Promise<string> {
  const statement = defineStatement({
    name: `explain_${name}`,
    text: `EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) ${text}`,
    row: (row) => String(row["QUERY PLAN"]).trim(),
    isPlannedEachTime: true,
  });
  return (await database.query(statement, values)).join("\n");
}

describe("a search of accounts", () => {
  test.each([
    ["created_at", false],
    ["created_at", true],
    ["username", false],
    ["username", true],
    ["message_count", false],
    ["message_count", true],
  ] as const)("a page of accounts by %s, reversed %s, is read within one index", async (sort, reversed) => {
    const plan = await explain(pageStatement(sort, reversed, true), [50, 7_000, "%a%"]);
    const index = sort === "message_count" ? "messages" : sort;
    expect(plan).toMatch(new RegExp(`Index Only Scan .*using user_directory_by_${index}_idx on user_directory`));
    expect(plan).not.toContain("user_directory_search_idx");
  });

  test("a search of accounts that matches few accounts reads these alone", async () => {
    expect(await explain(pageStatement("username", false, true), [50, 0, "%123%"])).toContain("_search_idx");
    expect(await explain(countSearch, ["%123%"])).toContain("_search_idx");
    expect(await explain(countSearch, ["%a%"])).not.toContain("_search_idx");
  });

  test("a search of accounts is planned for its own text, however often others were made before", async () => {
    const query = { page: 140, per_page: 50, sort_by: "username", search: "a" } as const;
    for (let run = 0; run < 10; run += 1) expect((await findUsers(database, query)).total).toBe(15_000);
    expect(await database.query(preparedSearches, [])).toEqual([]);
  });
});
