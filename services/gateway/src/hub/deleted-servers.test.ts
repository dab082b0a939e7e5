import { connectDatabase, type Database } from "@parley/database/prisma";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMembershipLoader } from "./load-memberships.js";
import { createPresenceLoader } from "./load-presences.js";

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "gateway test", logger });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("members of a deleted server are in it no more, and not seen by each other, before they are removed", async () => {
  const { prisma } = database;
  const users = await prisma.user.createManyAndReturn({
    data: ["ann", "bea"].map((username) => ({ username, status: "online" })),
  });
  const [askerId = "", otherId = ""] = users.map(({ id }) => id);
  const servers = await prisma.server.createManyAndReturn({
    data: ["deleted", "kept"].map((name) => ({ name, owner_id: askerId })),
  });
  const [deleted = "", kept = ""] = servers.map(({ id }) => id);
  await prisma.member.createMany({
    data: [
      { server_id: deleted, user_id: askerId },
      { server_id: deleted, user_id: otherId },
      { server_id: kept, user_id: askerId },
    ],
  });
  const ask = () => createPresenceLoader({ database })({ askerId, shard: null, userIds: [otherId] });
  const load = createMembershipLoader({ database });
  expect((await ask()).presences).toHaveLength(1);
  expect(await load(otherId)).toEqual([{ serverId: deleted, roles: [] }]);

  await prisma.server.delete({ where: { id: deleted } });
  expect(await prisma.member.count({ where: { server_id: deleted } })).toBe(2);
  expect(await ask()).toEqual({ presences: [], serverIds: [kept] });
  expect([await load(askerId), await load(otherId)]).toEqual([[{ serverId: kept, roles: [] }], []]);
});
