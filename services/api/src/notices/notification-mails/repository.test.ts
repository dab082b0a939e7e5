import { createTestDatabase, rowsRead, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectDirectStatement, collectMentionsStatement } from "./collect-repository.js";
import { claimStatement, unplannedStatement } from "./due-repository.js";
import { countStatement } from "./reacted-repository.js";

/** 20,000 accounts with mails, two of them due, among 40,000; 40,000 messages and 10,000 direct messages. */
const world = `
  INSERT INTO users (username) SELECT 'u' || n FROM generate_series(1, 40000) AS n;
  INSERT INTO servers (name, owner_id) SELECT 's' || n, (SELECT id FROM users LIMIT 1) FROM generate_series(1, 20) AS n;
  INSERT INTO channels (server_id, name, position) SELECT id, 'c', n FROM servers, generate_series(0, 9) AS n;
  INSERT INTO members (server_id, user_id)
    SELECT s.id, u.id FROM servers s, (SELECT * FROM users ORDER BY id LIMIT 200) u;
  INSERT INTO notification_settings (user_id, mail, mail_due_at)
    SELECT id, CASE WHEN username ~ '^u[1-9]?[05]' THEN 'daily' WHEN username ~ '[13579]$' THEN 'mentions' ELSE 'off' END,
      CASE WHEN username IN ('u1', 'u3') THEN now() WHEN username ~ '^u[1-9]?[05]' THEN now() + interval '1 day' END
    FROM users;
  INSERT INTO messages (id, channel_id, server_id, author_id, content, mention_user_ids)
    SELECT uuidv7(make_interval(secs => n - 40000)), c.id, c.server_id, NULL, 'hello',
        CASE WHEN n % 10 = 0 THEN ARRAY(SELECT id FROM users WHERE username = 'u1') ELSE '{}' END
      FROM generate_series(1, 39000) AS n
      JOIN (SELECT *, row_number() OVER () AS number FROM channels) c ON c.number = 1 + n % 200;
  INSERT INTO reactions (message_id, emoji, user_id)
    SELECT m.id, '👍', u.id FROM (SELECT * FROM messages ORDER BY id LIMIT 20000) m, (SELECT id FROM users LIMIT 1) u;
  INSERT INTO dm_channels (user_low, user_high)
    SELECT least(a.id, b.id), greatest(a.id, b.id) FROM users a JOIN users b ON b.username = a.username || '1'
      WHERE a.username ~ '^u[1-9]{1,3}$';
  INSERT INTO dm_messages (id, channel_id, author_id, content)
    SELECT uuidv7(make_interval(secs => n - 40000)), c.id, c.user_low, 'hello'
      FROM generate_series(1, 10000) AS n
      JOIN (SELECT *, row_number() OVER () AS number FROM dm_channels) c ON c.number = 1 + n % 500;
  ANALYZE`;

let database: TestDatabase;
let client: Awaited<ReturnType<TestDatabase["connect"]>>;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await database.connect();
  await client.query(world);
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const idOf = async (query: string): Promise<string> => (await client.query<{ id: string }>(query)).rows[0]?.id ?? "";
const idAt = (secondsAgo: number) => idOf(`SELECT uuidv7(make_interval(secs => ${-secondsAgo})) AS id`);

test("a mail that is due is found among 20,000 accounts with mails by reading a few rows", async () => {
  expect(await rowsRead(client, claimStatement, [300])).toBeLessThan(10);
});

test("daily mails that are not planned are found without reading those that are", async () => {
  expect(await rowsRead(client, unplannedStatement, [500])).toBe(0);
});

test("new messages are looked through without reading those before them, nor the accounts", async () => {
  const range = [await idAt(2_000), await idAt(1_000), 5_000, 900, 3_600];
  const mentions = await rowsRead(client, collectMentionsStatement, range);
  expect(mentions).toBeGreaterThan(900);
  expect(mentions).toBeLessThan(3_000);
  const direct = await rowsRead(client, collectDirectStatement, [
    await idAt(32_000),
    await idAt(31_900),
    5_000,
    900,
    3_600,
  ]);
  expect(direct).toBeGreaterThan(90);
  expect(direct).toBeLessThan(3_000);
});

test("reactions are counted of the messages of one server and one day", async () => {
  const id = await idOf("SELECT id FROM servers LIMIT 1");
  // 1,950 messages, 1,000 of them with a reaction.
  expect(await rowsRead(client, countStatement, [id])).toBeLessThan(6_000);
});
