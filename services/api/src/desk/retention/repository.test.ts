import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase, waitingForLocks, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expireBatch, findNextChannel, noteExpiredOf } from "./repository.js";

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 4, applicationName: "retention test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

let serverId: string;
/** A server with messages of 10, 20 and 40 days before now. */
beforeEach(async () => {
  const { prisma } = database;
  await prisma.$executeRawUnsafe("TRUNCATE users, messages, expirations CASCADE");
  const owner = await prisma.user.create({ data: { username: "owner" } });
  const channels = { create: { name: "c", position: 0 } };
  const server = await prisma.server.create({ data: { name: "s", owner_id: owner.id, channels } });
  serverId = server.id;
  await prisma.$executeRawUnsafe(`INSERT INTO messages (id, channel_id, server_id, content)
    SELECT uuidv7(make_interval(days => -days)), c.id, c.server_id, days::text
    FROM channels c, unnest(ARRAY[10, 20, 40]) AS days`);
});

const keepFor = (retention_days: number | null) =>
  database.prisma.server.update({ where: { id: serverId }, data: { retention_days } });
const note = () => noteExpiredOf(database, { instanceDays: null, serverId });
const batch = async () => {
  const next = await findNextChannel(database, []);
  if (next === null) return null;
  const options = { channelId: next.channel_id, size: 1, instanceDays: null };
  return database.transaction((transaction) => expireBatch(transaction, options));
};
const contents = async () =>
  (await database.prisma.message.findMany({ orderBy: { id: "asc" } })).map(({ content }) => content);

test("a server that keeps messages longer from now on loses no more of them", async () => {
  await keepFor(5);
  await note();
  await batch();
  expect(await contents()).toHaveLength(2);
  await keepFor(30);
  while ((await batch()) !== null);
  const kept = await contents();
  await keepFor(5);
  await note();
  await keepFor(null);
  while ((await batch()) !== null);
  expect(await contents()).toEqual(kept);
  expect(kept).toContain("20");
});

test("a server that keeps messages shorter while others are removed loses all that have expired by then", async () => {
  await keepFor(30);
  await note();
  await keepFor(15);
  await note();
  while ((await batch()) !== null);
  expect(await contents()).toEqual(["10"]);
});

test("a note made while another process ends its work at the channel is not lost", async () => {
  await keepFor(30);
  await note();
  const { prisma } = database;
  const observer = await testDatabase.connect();
  let noting = Promise.resolve();
  await prisma.$transaction(async (other) => {
    await other.$queryRawUnsafe("SELECT FROM expirations FOR UPDATE");
    await keepFor(15);
    let isNoted = false;
    noting = note().finally(() => {
      isNoted = true;
    });
    await waitUntil(async () => isNoted || (await waitingForLocks(observer)) > 0, { what: "the note" });
    await other.$executeRawUnsafe("DELETE FROM expirations");
  });
  await noting;
  await observer.end();
  while ((await batch()) !== null);
  expect(await contents()).toEqual(["10"]);
});
