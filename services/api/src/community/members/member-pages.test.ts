import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { listStart, type MemberFilter, memberPage } from "./page-repository.js";
import type { MemberPlace } from "./schema.js";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string | undefined;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    Plans: z.array(PlanNode).optional(),
  }),
);
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: PlanNode })]) })]);

const members = 20_000;
/** Members whose names an index has together. */
const block = 1_024;

let testDatabase: TestDatabase;
let database: Database;
let serverId: string;

// The last quarter is named otherwise and has the role `late`, one early member has a name of their own and the role
// `rare`, everybody has the role `all`, and there is a crowd in another server. Very many joined at one instant, so that a
// position seems to have nobody after it.
const world = `
  INSERT INTO users (username)
    SELECT CASE WHEN n = 300 THEN 'Rare' WHEN n > ${members} * 0.75 THEN 'Late_' || n ELSE 'name_' || n END
    FROM generate_series(1, ${members}) AS n;
  INSERT INTO servers (name, owner_id) SELECT name, id FROM users, unnest(ARRAY['large', 'other']) AS name WHERE username = 'Rare';
  INSERT INTO members (server_id, user_id, joined_at)
    SELECT s.id, u.id, timestamptz '2026-01-01' + u.n / 10000 * interval '1 second'
    FROM servers s, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) u
    WHERE s.name = 'large' OR u.n % 4 = 0 ORDER BY u.n;
  INSERT INTO roles (server_id, name, position)
    SELECT s.id, r, 1 FROM servers s, unnest(ARRAY['late', 'rare', 'all']) AS r WHERE s.name = 'large';
  INSERT INTO member_roles (server_id, user_id, role_id)
    SELECT m.server_id, m.user_id, r.id FROM members m JOIN roles r USING (server_id) JOIN users u ON u.id = m.user_id
    WHERE r.name = 'all' OR lower(u.username) ~ ('^' || r.name);
  VACUUM ANALYZE`;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info: () => {}, warn: () => {} };
  // One connection, which the setting of how statements are planned holds for.
  database = await connectDatabase({ url: testDatabase.url, poolMax: 1, applicationName: "test", logger });
  for (const statement of world.split(";")) await database.prisma.$executeRawUnsafe(statement);
  ({ id: serverId } = await database.prisma.server.findFirstOrThrow({ where: { name: "large" } }));
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** The place of the member who joined as the n-th. */
async function placeOf(n: number): Promise<MemberPlace> {
  const { joined_at, user_id } = await database.prisma.member.findFirstOrThrow({
    where: { server_id: serverId },
    orderBy: [{ joined_at: "asc" }, { user_id: "asc" }],
    skip: n - 1,
  });
  return { joinedAt: joined_at, userId: user_id };
}

/** Entries of `members` that a page of 100 reads, and how often it looks for some. */
async function readsOf(mode: string, after: MemberPlace, filter: MemberFilter) {
  const { statement, values } = memberPage({ serverId, after, limit: 101, filter });
  const run = (text: string) => database.prisma.$executeRawUnsafe(text);
  await run(`SET plan_cache_mode = ${mode}`);
  await run(
    `PREPARE page (uuid, timestamptz, uuid, bigint, ${filter.q === undefined ? "uuid" : "text"}) AS ${statement.text}`,
  );
  try {
    const literals = values.map((value) => `'${value instanceof Date ? value.toISOString() : value}'`);
    const rows = await database.prisma.$queryRawUnsafe(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE page (${literals.join(", ")})`,
    );
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
    const nodes = Explained.parse(rows).flatMap(({ "QUERY PLAN": [{ Plan }] }) => flatten(Plan));
    const scans = nodes.filter((node) => /^(members|member_roles)$/.test(node["Relation Name"] ?? ""));
    return {
      found: nodes[0]?.["Actual Rows"],
      // The other tables are empty, or have a few rows.
      whole: nodes.filter(
        (node) =>
          node["Node Type"] === "Seq Scan" && /^(users|members|member_roles)$/.test(node["Relation Name"] ?? ""),
      ),
      entries: scans.reduce(
        (sum, scan) => sum + (scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0)) * scan["Actual Loops"],
        0,
      ),
      searches: scans.reduce((sum, scan) => sum + scan["Actual Loops"], 0),
    };
  } finally {
    await run("DEALLOCATE page");
  }
}

describe.each(["force_custom_plan", "force_generic_plan"])("a page of members, with %s", (mode) => {
  test.each([
    ["everybody has", "", 1, 101],
    ["three quarters have", "NAME_", 1, 101],
    ["three quarters have, from where the others begin", "name_", members * 0.75, 0],
    ["only those have who joined last", "late", 1, 101],
    ["only those have who joined last, from among them", "late", members * 0.9, 101],
    ["one member has", "rar", 1, 1],
    ["nobody has", "nobody", 1, 0],
  ])("a page of members by the beginning of a name that %s reads two blocks at most", async (_, q, from, found) => {
    const after = from === 1 ? listStart : await placeOf(from);
    const reads = await readsOf(mode, after, { q });
    expect(reads).toMatchObject({ found, whole: [] });
    // Beside the first and the last member of the list, and the roles of those on the page, two each at most.
    expect(reads.entries).toBeLessThanOrEqual(2 * block + 2 + 2 * found);
    // Each block once in the indexes of both names.
    expect(reads.searches).toBeLessThanOrEqual(2 * Math.ceil(members / block) + 2 + found);
  });

  test.each([
    ["all", 1, 101],
    ["all", members * 0.4, 101],
    ["late", 1, 101],
    ["rare", 1, 1],
    ["rare", members * 0.5, 0],
  ])("a page of members by the role %s after member %i reads the holders on the page", async (name, from, found) => {
    const { id } = await database.prisma.role.findFirstOrThrow({ where: { name } });
    const after = from === 1 ? listStart : await placeOf(from);
    const reads = await readsOf(mode, after, { role_id: id });
    expect(reads).toMatchObject({ found, whole: [] });
    // Each as a holder, as a member, and by the roles that they have.
    expect(reads.entries).toBeLessThanOrEqual(4 * found);
  });
});
