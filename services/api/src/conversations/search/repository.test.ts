import { parseSearchQuery } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, rowsRead, type TestDatabase } from "@parley/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResolvedFilters } from "./filters.js";
import { findHits, findHitsInTime, type Hits, searchStatements } from "./repository.js";
import { compileTerms } from "./terms-repository.js";

const noFilters: ResolvedFilters = {
  ...{ from: null, mentions: null, in: null, server: null, channels: [], direct: [] },
  ...{ has: [], is: [], since: null, until: null },
};
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

/** A search for words as one in a server compiles them, without filters. */
async function searchFor(words: string) {
  const { terms } = parseSearchQuery(words);
  const compiled = await compileTerms(database, { terms, filters: noFilters, languages: ["en"], isEnglish: true });
  return { terms: compiled, filters: null };
}

/** The highlight of the only message there is. */
async function highlight(content: string, words: string): Promise<string | undefined> {
  const data = { server_id: serverId, channel_id: channelId, author_id: authorId, content };
  const { id } = await database.prisma.message.create({ data, select: { id: true } });
  const search = { serverId, channelIds: [channelId], before: null, limit: 2, ...(await searchFor(words)) };
  const { hits } = await findHits(database, search);
  await database.prisma.message.delete({ where: { id } });
  return hits[0]?.highlight;
}

/** The words that a person sees in texts of all kinds. */
const found: [content: string, query: string][] = [
  ["Pike/Perch", "perch"],
  ["Pike/Perch", "pike"],
  ["Pike/Perch", "Pike/Perch"],
  ["the rod ROD-4711 is new", "4711"],
  ["the rod ROD-4711 is new", "rod-4711"],
  ["see C:\\logs\\errors.txt", "errors"],
  ["/var/log/parley/errors.txt", "errors"],
  ["/var/log/parley/errors.txt", "errors.txt"],
  ["/var/log/parley/errors.txt", "parley"],
  ["ask treasurer@example.org", "treasurer"],
  ["ask treasurer@example.org", "example"],
  ["ask treasurer@example.org", "treasurer@example.org"],
  ["https://club.example.org/minutes?year=2026&month=11#top", "minutes"],
  ["https://club.example.org/minutes?year=2026&month=11#top", "club.example.org"],
  ["https://club.example.org/minutes?year=2026&month=11#top", "year"],
  ["read_state_update", "update"],
  ["readState.markRead()", "markread"],
  ["version v2.10.3-rc.1", "2.10.3"],
  ["on 2026-11-28", "2026-11-28"],
  ["written in C++ and C#", "c++"],
  ["the #general channel", "general"],
  ["a=b+carp", "carp"],
  ["key:value", "value"],
  ["<chess>", "chess"],
  ["I don't know", "don't"],
  ["I don’t know", "don't"],
  ["it can't be", "can't"],
  ["cafe\u0301 au lait", "café"],
  ["café au lait", "cafe"],
  ["CAFÉ", "cafe\u0301"],
  ["Straße", "strasse"],
  ["STRASSE", "straße"],
  ["ΟΔΟΣ", "οδος"],
  ["οδός", "ΟΔΌΣ"],
  ["İstanbul", "istanbul"],
  ["ＡＢＣ", "abc"],
  ["ﬁsh", "fish"],
  ["我住在上海市", "上海"],
  ["我住在上海市", "海市"],
  ["我住在上海市", "上海市"],
  ["東京タワーへ行く", "タワー"],
  ["서울에 갑니다", "서울"],
  ["ฉันชอบตกปลา", "ตกปลา"],
  ["Привет, мир", "привет"],
  ["Ёлка", "елка"],
  ["זְמַן", "זמן"],
  ["مُحَمَّد", "محمد"],
  ["plain words here", "words"],
  ["plain words.", "words"],
];

test.each(found)("%j is found by %j", async (content, query) => {
  expect(await highlight(content, query)).toBeDefined();
});

test.each([
  ["我住在上海市", "海上"],
  ["Pike/Perch", "perches trout"],
  ["errors.txt", "error.log"],
])("%j is not found by %j", async (content, query) => {
  expect(await highlight(content, query)).toBeUndefined();
});

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
    ["chess: ||white wins||, `||chess||`", "chess", "<mark>chess</mark>: ▒▒▒▒, `||<mark>chess</mark>||`"],
    ["the end: ||chess & <b>||", "chess", "the end: ▒▒▒▒"],
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
          // PostgreSQL does not search the inside of tags.
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
  const search = async (before: string | null) =>
    findHitsInTime(database, { serverId, channelIds: [channelId], before, limit: 999, ...(await searchFor(word)) });

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

describe("messages of many years", () => {
  const day = 24 * 3_600;
  let years: { serverId: string; channelIds: string[] };

  /** Messages that end `age` days ago, one each `everyHours`. */
  const insert = (content: string, { count, age, everyHours }: { count: number; age: number; everyHours: number }) =>
    database.prisma.$executeRawUnsafe(
      `INSERT INTO messages (id, channel_id, server_id, content, deleted, embed_texts)
        SELECT uuidv7(make_interval(secs => -$4::float8 - n * $5::float8)), ($2::uuid[])[1 + n % 6], $1::uuid, $3,
          n % 11 = 0, CASE WHEN n % 5 = 0 THEN 'castle' END
        FROM generate_series(1, $6::int) AS n`,
      years.serverId,
      years.channelIds,
      content,
      age * day,
      everyHours * 3_600,
      count,
    );

  beforeAll(async () => {
    const { prisma } = database;
    const { id } = await prisma.server.create({ data: { name: "years", owner_id: authorId } });
    const channels = await prisma.channel.createManyAndReturn({
      data: Array.from({ length: 6 }, (_, position) => ({ server_id: id, name: "c", position })),
    });
    years = { serverId: id, channelIds: channels.map((channel) => channel.id) };
    await insert("the rook moved", { count: 700, age: 0, everyHours: 11 });
    await insert("the rook and the rook moved", { count: 300, age: 900, everyHours: 0.1 });
    await insert("the knight moved", { count: 30, age: 1_200, everyHours: 400 });
    await prisma.$executeRawUnsafe("ANALYZE messages");
  });

  /** The messages that a scan of every row finds. */
  async function lookedThrough(words: string, channelIds: string[]): Promise<string[]> {
    const rows = await database.prisma.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM messages
        WHERE channel_id = ANY ($2::uuid[]) AND NOT deleted
          AND to_tsvector('english', concat_ws(' ', content, embed_texts)) @@ plainto_tsquery('english', $1)
        ORDER BY ts_rank('{0.1, 0.1, 0.1, 0.1}', search, $3::tsquery) DESC, created_at DESC, id DESC`,
      words,
      channelIds,
      (await searchFor(words)).terms.rank,
    );
    return rows.map(({ id }) => id);
  }

  test.each([
    ["in all channels", 6],
    ["in some channels", 5],
    ["in few channels", 2],
    ["in one channel", 1],
    ["in no channel", 0],
  ])("messages of many years are all found, %s", async (_, channels) => {
    const channelIds = years.channelIds.slice(0, channels);
    for (const words of ["rook", "knight moved", "castle", "castle rook", "bishop"]) {
      const { total, hits } = await findHits(database, {
        ...{ serverId: years.serverId, channelIds, before: null, limit: 2_000, ...(await searchFor(words)) },
      });
      const expected = await lookedThrough(words, channelIds);
      expect({ words, total, ids: hits.map(({ id }) => id) }).toEqual({ words, total: expected.length, ids: expected });
    }
  });

  test("messages of many years are not all read for a word that they all have", async () => {
    await insert("a pawn moved", { count: 60_000, age: 2, everyHours: 0.1 });
    await database.prisma.$executeRawUnsafe("ANALYZE messages");
    const client = await testDatabase.connect();
    const { serverId, channelIds } = years;
    const nobody = "00000000-0000-7000-8000-000000000000";
    for (const [searched, places] of [
      [channelIds, [serverId]],
      [channelIds.slice(0, 1), channelIds.slice(0, 1)],
    ] as const) {
      const { terms } = await searchFor("pawn");
      const filters = '{"from":null,"mentions":null,"has":[],"is":[],"since":null,"until":null}';
      const values = [
        serverId,
        "pawn",
        searched,
        nobody,
        51,
        places,
        filters,
        terms.words ?? "",
        terms.rank,
        terms.indexed ?? "",
      ];
      const read = await rowsRead(client, searchStatements.server.words, values, { table: "messages" });
      // Of 60,000 messages it reads the counted ones, the rest of their span (at most a 16th of the time), and the
      // ranked ones.
      expect(read).toBeGreaterThan(5_000);
      expect(read).toBeLessThan(40_000);
    }
    await client.end();
  });
});
