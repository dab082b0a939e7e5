import { parseSearchQuery } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResolvedFilters } from "./filters.js";
import { filterValue } from "./filters-repository.js";
import { findMatches } from "./found-repository.js";
import { placesOfChannels } from "./repository.js";
import { sourceOf } from "./sources-repository.js";
import { compileTerms } from "./terms-repository.js";

const noFilters: ResolvedFilters = {
  ...{ from: null, mentions: null, in: null, server: null, channels: [], direct: [] },
  ...{ has: [], is: [], since: null, until: null },
};
let testDatabase: TestDatabase;
let database: Database;
let userId: string;
/** Of two servers, and not of the third one. */
let places: { server_id: string; id: string }[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
  const { prisma } = database;
  userId = (await prisma.user.create({ data: { username: "ann" } })).id;
  const bot = await prisma.user.create({ data: { username: "robot" } });
  await prisma.bot.create({ data: { user_id: bot.id, name: "robot", token_hash: "0".repeat(64) } });
  const servers = await prisma.server.createManyAndReturn({
    data: ["one", "two", "three"].map((name) => ({ name, owner_id: userId })),
  });
  const channels = await prisma.channel.createManyAndReturn({
    data: servers.flatMap(({ id }) => [0, 1, 2].map((position) => ({ server_id: id, name: "c", position }))),
  });
  places = channels.filter(({ server_id }) => server_id !== servers[2]?.id);
  await prisma.$executeRawUnsafe(
    `INSERT INTO messages (id, channel_id, server_id, author_id, content, edited_at, deleted, embeds)
      SELECT uuidv7(make_interval(hours => -3 * n)), c.id, c.server_id, CASE WHEN n % 41 = 0 THEN $2::uuid ELSE $1::uuid END,
        concat_ws(' ', 'common', CASE WHEN n % 601 = 0 THEN 'rare' END, CASE WHEN n % 2 = 0 THEN 'red carp' ELSE 'carp red' END),
        CASE WHEN n % 53 = 0 THEN now() END, n % 11 = 0, CASE WHEN n % 331 = 0 THEN '[]'::jsonb END
      FROM generate_series(1, 3000) n
      JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS place FROM channels) c ON c.place = n % 9`,
    userId,
    bot.id,
  );
  const every = (number: number) =>
    `(SELECT id, n FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM messages) m WHERE n % ${number} = 0) AS m`;
  await prisma.$executeRawUnsafe(`INSERT INTO polls (message_id, question) SELECT m.id, 'q' FROM ${every(97)}`);
  await prisma.$executeRawUnsafe(`INSERT INTO attachments (message_id, filename, stored_name, file_size, mime_type)
    SELECT m.id, 'f', replace(gen_random_uuid()::text, '-', '') || '_f', 1, CASE WHEN m.n % 2 = 0 THEN 'video/mp4' ELSE 'image/png' END FROM ${every(29)}`);
  await prisma.$executeRawUnsafe(
    `INSERT INTO message_previews (message_id, previews) SELECT m.id, '[{}]' FROM ${every(43)}`,
  );
  await prisma.$executeRawUnsafe(
    `INSERT INTO saves (user_id, message_id) SELECT $1::uuid, m.id FROM ${every(61)}`,
    userId,
  );
  await prisma.$executeRawUnsafe(
    `UPDATE messages SET pinned = true, pinned_at = now() WHERE id IN (SELECT m.id FROM ${every(83)})`,
  );
  await prisma.$executeRawUnsafe("ANALYZE");
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const exists = (table: string, condition = "true") =>
  `EXISTS (SELECT FROM ${table} x WHERE x.message_id = m.id AND ${condition})`;
type Asked = Partial<Pick<ResolvedFilters, "has" | "is" | "since">>;
const middle = new Date(Date.now() - 200 * 24 * 3_600_000);
/** SQL of what a scan of every message finds. */
const cases: [words: string, scan: string, filters: Asked][] = [
  ["common", "true", {}],
  ["rare", "content LIKE '%rare%'", {}],
  ["nowhere", "false", {}],
  ['"red carp"', "content LIKE '%red carp%'", {}],
  ['rare "red carp"', "content LIKE '%rare red carp%'", {}],
  ["common -rare", "content NOT LIKE '%rare%'", {}],
  ["-rare", "content NOT LIKE '%rare%' AND created_at >= $2", { since: middle }],
  ["", exists("polls"), { has: ["poll"] }],
  ["", exists("attachments", "mime_type = 'video/mp4'"), { has: ["video"] }],
  ["", exists("attachments", "mime_type = 'image/png'"), { has: ["image"] }],
  ["", `${exists("attachments")} AND created_at >= $2`, { has: ["file"], since: middle }],
  ["", "false", { has: ["audio"] }],
  ["", `(embeds IS NOT NULL OR ${exists("message_previews")})`, { has: ["embed"] }],
  ["", exists("saves"), { is: ["saved"] }],
  ["", "pinned", { is: ["pinned"] }],
  ["", "edited_at IS NOT NULL", { is: ["edited"] }],
  ["", "author_id IN (SELECT user_id FROM bots)", { is: ["bot"] }],
  ["rare", "content LIKE '%rare%' AND edited_at IS NOT NULL", { is: ["edited"] }],
  ['"red carp"', `content LIKE '%red carp%' AND ${exists("polls")}`, { has: ["poll"] }],
  [
    "common",
    `${exists("attachments", "mime_type = 'image/png'")} AND author_id IN (SELECT user_id FROM bots)`,
    { has: ["image"], is: ["bot"] },
  ],
];

test.each(cases)(
  "%j finds what a scan of a year for %s finds, in pages and from either end",
  async (words, scan, asked) => {
    const filters = { ...noFilters, ...asked };
    const terms = await compileTerms(database, { terms: parseSearchQuery(words).terms, filters, languages: ["en"] });
    const channels = places.map(({ id }) => id);
    const servers = [...new Set(places.map(({ server_id }) => server_id))];
    const wanted = {
      ...{ terms, filters: filterValue(filters, userId), source: sourceOf(filters), channels, servers, direct: [] },
      ...{ places: placesOfChannels(channels, servers), since: filters.since, until: null },
    };
    const rows = await database.prisma.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM messages m WHERE channel_id = ANY ($1::uuid[]) AND NOT deleted AND $2::timestamptz IS NOT NULL AND ${scan} ORDER BY id DESC`,
      channels,
      middle,
    );
    const expected = rows.map(({ id }) => id);
    for (const order of ["new", "old"] as const) {
      const found: string[] = [];
      for (let cursor: string | null = null; ; cursor = found.at(-1) ?? null) {
        const page: string[] = await findMatches(database, wanted, { order, cursor, limit: 600 });
        found.push(...page);
        if (page.length < 600) break;
      }
      expect({ order, found }).toEqual({ order, found: order === "new" ? expected : expected.toReversed() });
    }
  },
);
