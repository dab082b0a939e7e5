import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFileUrls } from "../../platform/files/signed-urls.js";
import { BackgroundQueue } from "../../platform/load/background-queue.js";
import { exportPageMax } from "./limits.js";
import { createExportService, type ServerExport } from "./service.js";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** A server with two pages of members, and of messages in its channel. */
async function createLargeServer() {
  const { prisma } = database;
  const many = Array.from({ length: exportPageMax }, (_, n) => n);
  const users = await prisma.user.createManyAndReturn({ data: many.map((n) => ({ username: `user_${n}` })) });
  const owner = await prisma.user.create({ data: { username: "owner" } });
  const server = await prisma.server.create({ data: { name: "s", owner_id: owner.id } });
  const ids = { server_id: server.id };
  await prisma.member.createMany({ data: [owner, ...users].map(({ id }) => ({ ...ids, user_id: id })) });
  const channel = await prisma.channel.create({ data: { ...ids, name: "c", position: 0 } });
  await prisma.message.createMany({
    data: [-1, ...many].map((n) => ({ ...ids, channel_id: channel.id, author_id: owner.id, content: `message ${n}` })),
  });
  return { ownerId: owner.id, serverId: server.id, channelId: channel.id };
}

const urls = createFileUrls({ secret: undefined, jwtSecret: "a secret of this test" });

test("every page of an export is a turn in the queue of background work", async () => {
  const { ownerId, serverId, channelId } = await createLargeServer();
  for (const read of [
    (content: ServerExport) => content.members(),
    (content: ServerExport) => content.messages(channelId),
  ]) {
    const pages = new BackgroundQueue();
    const order: unknown[] = [];
    const exporting = createExportService({ database, pages, urls }).run(ownerId, serverId, async (content) => {
      const page = read(content);
      const first = page.next();
      const other = pages.run(() => order.push("other work"));
      order.push((await first).value?.length);
      order.push((await page.next()).value?.length);
      await other;
    });
    await exporting;
    expect(order).toEqual([exportPageMax, "other work", 1]);
  }
});
