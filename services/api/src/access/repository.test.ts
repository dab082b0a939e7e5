import { permissionBits } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, rowsRead, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChannelAccess, findViewableChannels, listStatement } from "./repository.js";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info: () => {}, warn: () => {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "test", logger });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const { VIEW_CHANNEL } = permissionBits;

// 500 channels with overrides for 100 roles each. The member has two of the roles: role1 denies, role100 allows the
// same.
const fullServer = `
  INSERT INTO users (username) VALUES ('owner'), ('member'), ('other');
  INSERT INTO servers (name, owner_id) SELECT 'full', id FROM users WHERE username = 'owner';
  INSERT INTO members (server_id, user_id) SELECT s.id, u.id FROM servers s, users u;
  INSERT INTO roles (server_id, name, position) SELECT s.id, 'role' || n, n FROM servers s, generate_series(1, 100) AS n;
  INSERT INTO channels (server_id, name, position)
    SELECT s.id, 'c' || n, n FROM servers s, generate_series(1, 500) AS n;
  INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
    SELECT c.id, r.id, CASE WHEN r.name <> 'role1' AND c.position <= 3 THEN ${VIEW_CHANNEL} ELSE 0 END,
      CASE WHEN r.name = 'role1' OR c.position > 490 THEN ${VIEW_CHANNEL} ELSE 0 END
    FROM channels c, roles r;
  INSERT INTO channel_overrides (channel_id, user_id, allow, deny)
    SELECT c.id, u.id, ${VIEW_CHANNEL}, 0 FROM channels c, users u
    WHERE c.position = 7 AND u.username = 'member' OR c.position = 8 AND u.username = 'other';
  INSERT INTO member_roles (server_id, user_id, role_id)
    SELECT r.server_id, u.id, r.id FROM roles r, users u WHERE r.name IN ('role1', 'role100') AND u.username = 'member';
  ANALYZE`;

test("a member's channels are found by their own overrides, not by those of everybody", async () => {
  for (const statement of fullServer.split(";")) await database.prisma.$executeRawUnsafe(statement);
  const { id: serverId } = await database.prisma.server.findFirstOrThrow();
  const { id: userId } = await database.prisma.user.findFirstOrThrow({ where: { username: "member" } });
  const viewable = await findViewableChannels(database, serverId, userId);
  expect(viewable.map(({ name }) => name)).toEqual(["c1", "c2", "c3", "c7"]);
  for (const { id } of viewable) {
    const access = await findChannelAccess(database, id, userId);
    expect((access?.permissions ?? 0) & VIEW_CHANNEL).toBe(VIEW_CHANNEL);
  }
  // 50,000 rows if every channel's overrides were read.
  const client = await testDatabase.connect();
  const read = await rowsRead(client, listStatement, [serverId, userId], { table: "channel_overrides" });
  await client.end();
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(5_000);
});
