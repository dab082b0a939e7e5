import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let database: TestDatabase;
let pool: pg.Pool;

const insertUsers =
  "INSERT INTO users (username) SELECT $1 || n FROM generate_series(1, $2::integer) AS n RETURNING id";
const insertServer = "INSERT INTO servers (name, owner_id) VALUES ('busy', $1) RETURNING id";

async function ids(query: string, values: unknown[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(query, values);
  return rows.map((row) => row.id);
}

async function oneId(query: string, values: unknown[]): Promise<string> {
  const [id] = await ids(query, values);
  if (id === undefined) throw new Error("no row came back");
  return id;
}

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 8 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("member_count is exact after many joined and left at once", async () => {
  const users = await ids(insertUsers, ["member", 60]);
  const server = await oneId(insertServer, [users[0]]);
  const other = await oneId(insertServer, [users[0]]);
  await Promise.all(
    users.map(async (user, index) => {
      // Two servers in one statement, in either order: the order of locks is the trigger's.
      const both = index % 2 === 0 ? [server, other] : [other, server];
      await pool.query("INSERT INTO members (server_id, user_id) SELECT unnest($1::uuid[]), $2", [both, user]);
      if (index % 3 === 0) await pool.query("DELETE FROM members WHERE user_id = $1", [user]);
    }),
  );
  const { rows } = await pool.query("SELECT member_count FROM servers WHERE id = ANY ($1)", [[server, other]]);
  expect(rows).toEqual([{ member_count: 40 }, { member_count: 40 }]);
});

test("one DM channel per pair, also when both open it at once from both sides", async () => {
  const [low, high] = (await ids(insertUsers, ["pair", 2])).sort();
  const open = (one: unknown, other: unknown) =>
    pool.query(
      `INSERT INTO dm_channels (user_low, user_high) VALUES (LEAST($1::uuid, $2), GREATEST($1::uuid, $2)) ON CONFLICT DO NOTHING`,
      [one, other],
    );
  const results = await Promise.all([open(low, high), open(high, low), open(low, high), open(high, low)]);
  expect(results.map((result) => result.rowCount).sort()).toEqual([0, 0, 0, 1]);
});

test("an invite is never used more often than max_uses allows", async () => {
  const owner = await oneId(insertUsers, ["inviter", 1]);
  const server = await oneId(insertServer, [owner]);
  await pool.query("INSERT INTO invites (server_id, code, max_uses) VALUES ($1, 'threeUse', 3)", [server]);
  const uses = await Promise.allSettled(
    Array.from({ length: 12 }, () => pool.query("UPDATE invites SET uses = uses + 1 WHERE code = 'threeUse'")),
  );
  expect(uses.filter((use) => use.status === "fulfilled")).toHaveLength(3);
});

test("ids, and the creation times taken from them, rise in the order of the inserts", async () => {
  const author = await oneId(insertUsers, ["writer", 1]);
  const server = await oneId(insertServer, [author]);
  const channel = await oneId("INSERT INTO channels (server_id, name, position) VALUES ($1, 'c', 0) RETURNING id", [
    server,
  ]);
  const insert =
    "INSERT INTO messages (channel_id, server_id, author_id, content) VALUES ($1, $2, $3, 'x') RETURNING id";
  const written: string[] = [];
  for (let n = 0; n < 200; n++) written.push(await oneId(insert, [channel, server, author]));
  expect(written).toEqual([...written].sort());
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM messages WHERE channel_id = $1 ORDER BY created_at, id",
    [channel],
  );
  expect(rows.map((row) => row.id)).toEqual(written);
});
