import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "./test-database.js";

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const tables = "SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'";

test("every caller gets a migrated database of their own", async () => {
  const [one, two] = [await createTestDatabase(), await createTestDatabase()];
  await rowsOf(one.url, "CREATE TABLE only_here (id integer)");
  await expect(rowsOf(two.url, "SELECT * FROM only_here")).rejects.toThrow(/does not exist/);
  expect(await rowsOf(two.url, "SELECT id FROM users")).toEqual([]);
  await Promise.all([one.drop(), two.drop()]);
});

test("an empty database is given on request", async () => {
  const database = await createTestDatabase({ migrated: false });
  expect(await rowsOf(database.url, tables)).toEqual([{ count: 0 }]);
  await database.drop();
});

test("a database that is still connected to is dropped", async () => {
  const [doomed, other] = [await createTestDatabase(), await createTestDatabase()];
  const client = new pg.Client({ connectionString: doomed.url });
  client.on("error", () => undefined);
  await client.connect();
  await doomed.drop();
  expect(await rowsOf(other.url, `SELECT 1 FROM pg_database WHERE datname = '${doomed.name}'`)).toEqual([]);
  await client.end();
  await other.drop();
});
