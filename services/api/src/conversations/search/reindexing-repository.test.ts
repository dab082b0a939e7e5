import { parseSearchQuery } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { guessLanguage } from "@parley/message-text";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findReindexing, isReindexed, pauseReindexing, reindexMessages } from "./reindexing-repository.js";
import { findHits } from "./repository.js";
import { compileTerms } from "./terms-repository.js";

let testDatabase: TestDatabase;
let database: Database;
let serverId: string;
let channelId: string;

/** Messages as the version before stored them. */
const contents = ["Die alten Häuser sind nicht da", "the gardens of the town", "node.js/errors"];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
  const { prisma } = database;
  const { id } = await prisma.user.create({ data: { username: "ann" } });
  serverId = (await prisma.server.create({ data: { name: "s", owner_id: id } })).id;
  channelId = (await prisma.channel.create({ data: { server_id: serverId, name: "c", position: 0 } })).id;
  await prisma.$executeRawUnsafe("ALTER TABLE messages DISABLE TRIGGER messages_search");
  for (const content of contents) {
    await prisma.$executeRawUnsafe(
      `INSERT INTO messages (channel_id, server_id, content, language, search)
        VALUES ($1::uuid, $2::uuid, $3, NULL, to_tsvector('english', $3))`,
      channelId,
      serverId,
      content,
    );
  }
  await prisma.$executeRawUnsafe("ALTER TABLE messages ENABLE TRIGGER messages_search");
  await prisma.$executeRawUnsafe("UPDATE search_reindexing SET finished_at = NULL, done = 0, total = 3");
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function found(words: string): Promise<string[]> {
  const filters = {
    ...{ from: null, mentions: null, in: null, server: null, channels: [], direct: [] },
    ...{ has: [], is: [], since: null, until: null },
  };
  const terms = await compileTerms(database, {
    terms: parseSearchQuery(words).terms,
    filters,
    languages: ["en", "de"],
  });
  const search = { serverId, channelIds: [channelId], before: null, limit: 9, terms, filters: null };
  return (await findHits(database, search)).hits.map(({ content }) => content);
}
const reindex = (size: number) =>
  database.transaction((transaction) => reindexMessages(transaction, { size, languageOf: guessLanguage }));

test("messages of before are found as before until the reindexing, which may pause, has given them the words of their language", async () => {
  const [german, english, signs] = contents;
  const asBefore = async () => {
    expect(await found("garden")).toEqual([english]);
    expect(await found("errors")).toEqual([signs]);
    expect(await found("häuser")).toEqual([german]);
  };
  await asBefore();
  expect(await found("haus")).toEqual([]);
  expect(await reindex(2)).toBe(2);
  await asBefore();
  expect(await findReindexing(database)).toMatchObject({ done: 2, total: 3, paused: false, finished_at: null });

  await database.transaction((transaction) => pauseReindexing(transaction, true));
  expect(await reindex(2)).toBe(0);
  await database.transaction((transaction) => pauseReindexing(transaction, false));
  // A batch that dies leaves its messages to the next one.
  await expect(
    database.transaction(async (transaction) => {
      await reindexMessages(transaction, { size: 2, languageOf: guessLanguage });
      throw new Error("killed");
    }),
  ).rejects.toThrow("killed");
  expect(await found("haus")).toEqual([]);
  expect(await reindex(2)).toBe(1);
  expect(await isReindexed(database)).toBe(false);
  expect(await reindex(2)).toBe(0);
  expect(await isReindexed(database)).toBe(true);
  await asBefore();
  expect(await found("haus")).toEqual([german]);
});

test("messages with words that an earlier version made get new ones, while everything is found as before", async () => {
  const { prisma } = database;
  await prisma.$executeRawUnsafe("ALTER TABLE messages DISABLE TRIGGER messages_search");
  await prisma.$executeRawUnsafe("UPDATE messages SET search = to_tsvector('simple', search_text(content))");
  await prisma.$executeRawUnsafe("ALTER TABLE messages ENABLE TRIGGER messages_search");
  await prisma.$executeRawUnsafe("UPDATE search_reindexing SET again = true, position = NULL");
  expect(await isReindexed(database)).toBe(true);
  expect(await found("haus")).toEqual([]);
  expect(await found("häuser")).toEqual([contents[0]]);
  expect(await reindex(10)).toBe(3);
  expect(await reindex(10)).toBe(0);
  expect(await found("haus")).toEqual([contents[0]]);
  // Then there is nothing left for it.
  await prisma.$executeRawUnsafe("UPDATE messages SET search = ''");
  expect(await reindex(10)).toBe(0);
  expect(await found("haus")).toEqual([]);
});
