import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listLoadsMax } from "./limits.js";
import { SlicedBuilds } from "./sliced-builds.js";
import { createWordLists } from "./word-lists.js";

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 5, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

test("many servers' lists are loaded a few at a time, and all of them", async () => {
  const { prisma } = database;
  const owner = await prisma.user.create({ data: { username: "owner" } });
  const servers = await prisma.server.createManyAndReturn({
    data: Array.from({ length: 2 * listLoadsMax }, (_, n) => ({ name: `s${n}`, owner_id: owner.id })),
  });
  await prisma.automodWord.createMany({
    data: servers.map(({ id, name }) => ({ server_id: id, word: `word ${name}` })),
  });
  let [running, most] = [0, 0];
  const counting: Database = {
    ...database,
    query: async (statement, values) => {
      running += 1;
      most = Math.max(most, running);
      try {
        return await database.query(statement, values);
      } finally {
        running -= 1;
      }
    },
  };
  const lists = createWordLists({ database: counting, builds: new SlicedBuilds() });
  const found = await Promise.all(
    servers.map(({ id, name }) => lists.find({ serverId: id, version: 0, texts: [`a word ${name}`] })),
  );
  expect(found.map((match) => match?.word)).toHaveLength(servers.length);
  expect(found.every((match) => match?.word.startsWith("word s"))).toBe(true);
  expect(most).toBe(listLoadsMax);
});
