import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

// Triggers keep columns of members so that a search by name finds them in the order in which they joined.

const members = 5_000;

let database: TestDatabase;
let client: pg.Client;
let serverId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("INSERT INTO users (username) SELECT 'Name' || n FROM generate_series(1, $1::int) AS n", [
    members,
  ]);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO servers (name, owner_id) SELECT n, id FROM users, unnest(ARRAY['large', 'other']) AS n
      WHERE username = 'Name1' RETURNING id`,
  );
  serverId = rows[0]?.id ?? expect.fail("no server");
  await client.query(
    `INSERT INTO members (server_id, user_id, joined_at)
      SELECT s.id, u.id, timestamptz '2026-01-01' + u.n * interval '1 second'
      FROM servers s, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) u ORDER BY u.n`,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const descents = async () => {
  const { rows } = await client.query(
    `SELECT count(*)::integer AS descents FROM (
        SELECT join_order < lag(join_order) OVER (PARTITION BY server_id ORDER BY joined_at, user_id) AS descends
        FROM members) AS placed WHERE descends`,
  );
  return rows;
};

test("the order of members counts those who join one after another", async () => {
  const { rows } = await client.query(
    "SELECT min(join_order), max(join_order), count(DISTINCT join_order)::integer FROM members WHERE server_id = $1",
    [serverId],
  );
  expect(rows).toEqual([{ min: 0, max: members - 1, count: members }]);
});

test("the order of members never descends, whenever somebody joins, and fills up after those who leave", async () => {
  await client.query(
    `WITH gone AS (DELETE FROM members WHERE server_id = $1 AND hashtext(user_id::text) % 10 = 0 RETURNING *)
      SELECT count(*) FROM gone`,
    [serverId],
  );
  await client.query(
    `INSERT INTO members (server_id, user_id, joined_at)
      SELECT $1, u.id, timestamptz '2026-01-01' + random() * $2 * interval '1 second'
      FROM users u WHERE NOT EXISTS (SELECT FROM members m WHERE m.server_id = $1 AND m.user_id = u.id)`,
    [serverId, members + 100],
  );
  expect(await descents()).toEqual([{ descents: 0 }]);
  const { rows } = await client.query("SELECT max(join_order) < $2 AS bounded FROM members WHERE server_id = $1", [
    serverId,
    members + 100,
  ]);
  expect(rows).toEqual([{ bounded: true }]);
});

test("the order of members never descends when many join at once, also those whose transactions began before", async () => {
  await client.query("INSERT INTO users (username) SELECT 'crowd_' || n FROM generate_series(1, 40) AS n");
  const clients = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const other = new pg.Client({ connectionString: database.url });
      await other.connect();
      return other;
    }),
  );
  try {
    await Promise.all(clients.map((other) => other.query("BEGIN")));
    await Promise.all(
      clients.toReversed().map(async (other, index) => {
        await other.query("SELECT FROM servers WHERE id = $1 FOR NO KEY UPDATE", [serverId]);
        await other.query(
          `INSERT INTO members (server_id, user_id, joined_at)
            SELECT $1, id, now() FROM users WHERE username LIKE 'crowd%' AND right(username, 1) = $2`,
          [serverId, `${index}`],
        );
        await other.query("COMMIT");
      }),
    );
  } finally {
    await Promise.all(clients.map((other) => other.end()));
  }
  expect(await descents()).toEqual([{ descents: 0 }]);
});

test("a changed name is changed in every server of its account", async () => {
  await client.query("UPDATE users SET username = 'Renamed' WHERE username = 'Name1'");
  const { rows } = await client.query(
    "SELECT username_lower FROM members WHERE user_id = (SELECT id FROM users WHERE username = 'Renamed')",
  );
  expect(new Set(rows.map((row) => row.username_lower))).toEqual(new Set(["renamed"]));
});
