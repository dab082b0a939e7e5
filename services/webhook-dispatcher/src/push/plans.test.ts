import { randomUUID } from "node:crypto";
import { createTestDatabase, rowsRead, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemsStatement } from "../inbox/item-rows.js";
import { directStatement, namedStatement, readStatement } from "./candidate-rows.js";
import { messagesStatement as claimMessages, readsStatement as claimReads } from "./claim-rows.js";
import { accessStatement, messagesStatement } from "./content-rows.js";
import { beginStatement, endStatement } from "./outcome-rows.js";

/** 20,000 accounts with a device each; ten of them have a due push, all others got one in the last hour. */
const world = `
  INSERT INTO users (username) SELECT 'u' || n FROM generate_series(1, 20000) AS n;
  INSERT INTO servers (name, owner_id) SELECT 's' || n, (SELECT id FROM users LIMIT 1) FROM generate_series(1, 20) AS n;
  INSERT INTO channels (server_id, name, position) SELECT id, 'c', n FROM servers, generate_series(0, 9) AS n;
  INSERT INTO members (server_id, user_id)
    SELECT s.id, u.id FROM servers s, (SELECT * FROM users ORDER BY id LIMIT 1000) u;
  INSERT INTO messages (channel_id, server_id, author_id, content, mention_user_ids)
    SELECT c.id, c.server_id, NULL, 'hello', CASE WHEN n % 100 = 0 THEN ARRAY(SELECT id FROM users ORDER BY id LIMIT 1) ELSE '{}' END
      FROM generate_series(1, 20000) AS n
      JOIN (SELECT *, row_number() OVER () AS number FROM channels) c ON c.number = 1 + n % 200;
  INSERT INTO dm_channels (user_low, user_high)
    SELECT least(a.id, b.id), greatest(a.id, b.id) FROM users a JOIN users b ON b.username = a.username || '1';
  INSERT INTO dm_messages (channel_id, author_id, content) SELECT id, user_low, 'hello' FROM dm_channels, generate_series(1, 10);
  INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth)
    SELECT id, 'https://push.example/' || id, 'p', 'a' FROM users;
  INSERT INTO pushes (subscription_id, message_id, channel_id, server_id)
    SELECT s.id, m.id, m.channel_id, m.server_id FROM (SELECT id, row_number() OVER () AS n FROM push_subscriptions) s
      JOIN (SELECT *, row_number() OVER () AS n FROM messages) m USING (n);
  INSERT INTO pushed_channels (subscription_id, channel_id, pushed_at, message_at)
    SELECT subscription_id, channel_id, now() - interval '1 minute', now() - interval '1 minute' FROM pushes;
  UPDATE pushes SET due_at = now() WHERE subscription_id IN (SELECT id FROM push_subscriptions ORDER BY id LIMIT 10);
  UPDATE pushed_channels SET read_due_at = now() WHERE subscription_id IN (SELECT id FROM push_subscriptions ORDER BY id LIMIT 10);
  INSERT INTO inbox_items (id, user_id, kind, channel_id, place_id, message_id)
    SELECT id, (SELECT id FROM users ORDER BY id LIMIT 1), 'mention', channel_id, channel_id, id FROM messages;
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

const column = async (query: string): Promise<string[]> =>
  (await client.query<{ value: string }>(query)).rows.map(({ value }) => value);
const sender = randomUUID();

test("devices with something due are claimed by reading a few rows of 20,000", async () => {
  expect(await rowsRead(client, claimMessages, [sender, 1_000])).toBeLessThan(150);
  expect(await rowsRead(client, claimReads, [sender, 1_000])).toBeLessThan(150);
});

test("the candidates of a message are found from the message, not from devices, members or messages", async () => {
  const named = await column("SELECT id AS value FROM messages WHERE mention_user_ids <> '{}' ORDER BY id LIMIT 20");
  expect(await rowsRead(client, namedStatement, [named])).toBeLessThan(500);
  expect(await rowsRead(client, itemsStatement, [named])).toBeLessThan(500);
  const plain = await column("SELECT id AS value FROM messages WHERE mention_user_ids = '{}' ORDER BY id LIMIT 100");
  expect(await rowsRead(client, namedStatement, [plain])).toBeLessThan(500);
  const direct = await column("SELECT id AS value FROM dm_messages ORDER BY id LIMIT 20");
  const users = await column(
    "SELECT c.user_high AS value FROM dm_messages m JOIN dm_channels c ON c.id = m.channel_id ORDER BY m.id LIMIT 20",
  );
  expect(await rowsRead(client, directStatement, [users, direct])).toBeLessThan(300);
  const channels = await column("SELECT id AS value FROM channels LIMIT 20");
  expect(await rowsRead(client, readStatement, [users, channels])).toBeLessThan(200);
});

test("pushes and their results are read and written by key", async () => {
  const pairs =
    "FROM pushes p JOIN push_subscriptions s ON s.id = p.subscription_id ORDER BY p.subscription_id LIMIT 20";
  const [users, messages] = [
    await column(`SELECT s.user_id AS value ${pairs}`),
    await column(`SELECT p.message_id AS value ${pairs}`),
  ];
  const [devices, channels] = [
    await column(`SELECT s.id AS value ${pairs}`),
    await column(`SELECT p.channel_id AS value ${pairs}`),
  ];
  expect(await rowsRead(client, messagesStatement, [users, messages])).toBeLessThan(400);
  expect(await rowsRead(client, accessStatement, [users, channels])).toBeLessThan(400);
  await client.query(
    "UPDATE push_subscriptions SET sender = $1, busy_until = now() + interval '1 hour' WHERE id = ANY ($2)",
    [sender, devices],
  );
  const times = devices.map(() => new Date().toISOString());
  const begin = [devices, channels, times, sender, devices, messages];
  expect(await rowsRead(client, beginStatement, begin)).toBeLessThan(400);
  const taken = devices.map(() => "taken");
  const never = devices.map(() => null);
  const end = [devices, taken, never, channels, sender, devices, messages, never, devices.map(() => 0)];
  expect(await rowsRead(client, endStatement, end)).toBeLessThan(600);
});
