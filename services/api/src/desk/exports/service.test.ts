import { randomUUID } from "node:crypto";
import { createFileUrls } from "@parley/auth";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BackgroundQueue } from "../../platform/load/background-queue.js";
import { exportPageMax } from "./limits.js";
import { createExportService } from "./service.js";

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
  const prefix = randomUUID().slice(0, 8);
  const users = await prisma.user.createManyAndReturn({ data: many.map((n) => ({ username: `${prefix}_${n}` })) });
  const owner = await prisma.user.create({ data: { username: prefix } });
  const server = await prisma.server.create({ data: { name: "s", owner_id: owner.id } });
  const ids = { server_id: server.id };
  await prisma.member.createMany({ data: [owner, ...users].map(({ id }) => ({ ...ids, user_id: id })) });
  const channel = await prisma.channel.create({ data: { ...ids, name: "c", position: 0 } });
  await prisma.message.createMany({
    data: [-1, ...many].map((n) => ({ ...ids, channel_id: channel.id, author_id: owner.id, content: `message ${n}` })),
  });
  return { ownerId: owner.id, serverId: server.id };
}

const urls = createFileUrls({ secret: undefined, jwtSecret: "a secret of this test" });

test.each([
  [false, "members.json", /"joined_at":/g],
  [false, "messages", /"content":/g],
  [true, "members.json", /"joined_at":/g],
  [true, "messages", /"content":/g],
] as const)("with files %s every page of %s is a turn in the queue of background work", async (files, name, item) => {
  const { ownerId, serverId } = await createLargeServer();
  const pages = new BackgroundQueue();
  const order: unknown[] = [];
  const service = createExportService({ database, pages, urls, storage: { get: async () => null } });
  await service.run({ ownerId, serverId, files }, async (_, parts) => {
    for await (const part of parts) {
      if (!part.name.startsWith(name) || typeof part.content === "string") continue;
      const page = part.content()[Symbol.asyncIterator]();
      const items = async () => String((await page.next()).value).match(item)?.length;
      const first = items();
      const other = pages.run(() => order.push("other work"));
      order.push(await first);
      order.push(await items());
      await other;
    }
  });
  expect(order).toEqual([exportPageMax, "other work", 1]);
});
