import { randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, rowsRead, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { findPage, latestStatement } from "./history-repository.js";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info: () => {}, warn: () => {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 1, applicationName: "test", logger });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const longChannel = `
  INSERT INTO users (username) VALUES ('owner');
  INSERT INTO servers (name, owner_id) SELECT 'long', id FROM users;
  INSERT INTO members (server_id, user_id) SELECT s.id, u.id FROM servers s, users u;
  INSERT INTO channels (server_id, name, position) SELECT id, 'c', 0 FROM servers;
  INSERT INTO messages (channel_id, server_id, author_id, content)
    SELECT c.id, c.server_id, u.id, 'text' FROM channels c, users u, generate_series(1, 20000);
  ANALYZE`;

test("a page of a long channel reads only its messages, by a plan that is made once for a connection", async () => {
  for (const statement of longChannel.split(";")) await database.prisma.$executeRawUnsafe(statement);
  const { id: userId } = await database.prisma.user.findFirstOrThrow();
  const { id: channelId } = await database.prisma.channel.findFirstOrThrow();
  const session = { id: null, version: 0 };
  for (let run = 0; run < 7; run += 1) {
    const page = await findPage(database, { channelId, limit: 50 }, { userId, session, keys: false });
    expect(JSON.parse(page?.text ?? "")).toHaveLength(50);
  }
  const [plans] = z
    .array(z.object({ generic_plans: z.coerce.number() }))
    .parse(
      await database.prisma
        .$queryRaw`SELECT generic_plans::integer FROM pg_prepared_statements WHERE name = ${latestStatement.name}`,
    );
  // PostgreSQL plans the first five runs for their values.
  expect(plans?.generic_plans).toBe(2);
  const client = await testDatabase.connect();
  const read = await rowsRead(client, latestStatement, [channelId, userId, 50, "false", 0, randomUUID()], {
    table: "messages",
  });
  await client.end();
  expect(read).toBe(50);
});
