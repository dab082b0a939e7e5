import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findHits, findHitsInTime, type Hits } from "./repository.js";

let testDatabase: TestDatabase;
let database: Database;
let serverId: string;
let channelId: string;
let authorId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
  const { prisma } = database;
  authorId = (await prisma.user.create({ data: { username: "ann" } })).id;
  serverId = (await prisma.server.create({ data: { name: "s", owner_id: authorId } })).id;
  channelId = (await prisma.channel.create({ data: { server_id: serverId, name: "c", position: 0 } })).id;
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** The highlight of the only message there is. */
async function highlight(content: string, words: string): Promise<string | undefined> {
  const data = { server_id: serverId, channel_id: channelId, author_id: authorId, content };
  const { id } = await database.prisma.message.create({ data, select: { id: true } });
  const { hits } = await findHits(database, { serverId, words, channelIds: [channelId], before: null, limit: 2 });
  await database.prisma.message.delete({ where: { id } });
  return hits[0]?.highlight;
}

const characters: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const readEntities = (html: string) => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? "");

describe("a highlight", () => {
  test.each([
    ["we play chess", "chess", "we play <mark>chess</mark>"],
    ["Playing, played & plays", "play", "<mark>Playing</mark>, <mark>played</mark> &amp; <mark>plays</mark>"],
    ["<b>alert('chess')</b>", "chess", "&lt;b&gt;alert(&#39;<mark>chess</mark>&#39;)&lt;/b&gt;"],
    ["<mark>chess</mark>", "chess", "&lt;mark&gt;<mark>chess</mark>&lt;/mark&gt;"],
    [
      'amp & lt < gt > quot "',
      "amp lt gt quot",
      "<mark>amp</mark> &amp; <mark>lt</mark> &lt; <mark>gt</mark> &gt; <mark>quot</mark> &quot;",
    ],
    ["it's 39", "39", "it&#39;s <mark>39</mark>"],
    [
      "see https://chess.example/?a=1&b=2 now",
      "https://chess.example/?a=1&b=2",
      "see https://<mark>chess.example</mark><mark>/?a=1&amp;b=2</mark> now",
    ],
  ])("a highlight of %j for %j is %j", async (content, words, expected) => {
    expect(await highlight(content, words)).toBe(expected);
  });

  test("a highlight shows the words of a long message", async () => {
    const found = await highlight(`${"lorem ipsum ".repeat(300)} chess ${"dolor sit ".repeat(20)}`, "chess");
    expect(found).toContain("<mark>chess</mark>");
    expect(found?.length).toBeLessThan(400);
  });

  test("a highlight is an escaped piece of the content with nothing but marks in it, whatever was written", async () => {
    const pieces = [
      "&",
      "<",
      ">",
      '"',
      "'",
      "/",
      ";",
      "#",
      "-",
      "@",
      ".",
      " ",
      " ",
      "\n",
      "word",
      "words",
      "amp",
      "lt",
      "39",
    ];
    const tricky = [
      "&amp;",
      "&lt",
      "&#39;",
      "<b>",
      "</b",
      "<!--",
      "http://a.example/",
      "?a=1&",
      "a@b.example",
      "/usr/",
      "ü😀",
    ];
    const content = fc.array(fc.constantFrom(...pieces, ...tricky), { maxLength: 40 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        content,
        content,
        fc.constantFrom("word", "word amp", "word lt 39"),
        async (before, after, words) => {
          const text = `${before} ${words} ${after}`;
          const html = await highlight(text, words);
          // What PostgreSQL takes for a tag is not searched.
          fc.pre(html !== undefined);
          expect(html).toMatch(
            /^(?:[^<>"'&]|&(?:amp|lt|gt|quot|#39);|<mark>(?:[^<>"'&]|&(?:amp|lt|gt|quot|#39);)+<\/mark>)+$/,
          );
          expect(html).toMatch(/<mark>words?<\/mark>/);
          expect(text).toContain(readEntities(html.replace(/<\/?mark>/g, "")));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("very many matches", () => {
  const word = "gambit";
  const search = (before: string | null) =>
    findHitsInTime(database, { serverId, words: word, channelIds: [channelId], before, limit: 999 });

  beforeAll(async () => {
    const insert = `INSERT INTO messages (id, channel_id, server_id, content)
      SELECT uuidv7(make_interval(secs => -$4::int - n)), $1::uuid, $2::uuid, $3 || n FROM generate_series(1, $5::int) AS n`;
    const { prisma } = database;
    await prisma.$executeRawUnsafe(insert, channelId, serverId, `${word} `, 0, 5_000);
    // Older, and better than all others.
    await prisma.$executeRawUnsafe(insert, channelId, serverId, `${word} ${word} ${word} `, 10_000, 5_010);
    await prisma.$executeRawUnsafe("ANALYZE messages");
  });

  test("very many matches are counted up to 10,000, and the newest 5,000 of them found, each once, page by page", async () => {
    const found: string[] = [];
    for (let before: string | null = null; ; ) {
      const page: Hits = await search(before);
      expect(page.total).toBe(10_000);
      for (const { content } of page.hits) expect(content).toMatch(/^gambit \d+$/);
      found.push(...page.hits.map(({ id }) => id));
      const last = page.hits.at(-1);
      if (last === undefined || page.hits.length < 999) break;
      before = last.id;
    }
    expect(new Set(found).size).toBe(5_000);
    expect(found).toHaveLength(5_000);
  });
});
