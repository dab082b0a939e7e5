import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { findHistory, pageStatement } from "./repository.js";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info: () => {}, warn: () => {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const some = "(u.username = 'other' OR u.username = 'member' AND n % 20 < 2)";

// A tenth is about the member, and half of that are audit entries that no history shows.
const longHistory = `
  INSERT INTO users (username) VALUES ('owner'), ('member'), ('other');
  INSERT INTO servers (name, owner_id) SELECT 'busy', id FROM users WHERE username = 'owner';
  INSERT INTO audit_log_entries (server_id, target_id, target_type, action)
    SELECT s.id, u.id, 'user', CASE WHEN n % 2 = 0 THEN 'member_kick' ELSE 'member_role_add' END
    FROM servers s, users u, generate_series(1, 40000) AS n WHERE ${some};
  INSERT INTO automod_logs (server_id, user_id, username, rule_type, action_taken, message_content)
    SELECT s.id, u.id, u.username, 'spam', 'delete', 'x'
    FROM servers s, users u, generate_series(1, 10000) AS n WHERE ${some};
  INSERT INTO reports (server_id, target_type, target_id, author_id, category, source)
    SELECT s.id, 'message', uuidv7(), u.id, 'other', 'member'
    FROM servers s, users u, generate_series(1, 10000) AS n WHERE ${some};
  INSERT INTO member_notes (server_id, user_id, text)
    SELECT s.id, u.id, 'x' FROM servers s, users u, generate_series(1, 10000) AS n WHERE ${some};
  ANALYZE`;

interface PlanNode {
  "Relation Name"?: string | undefined;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    Plans: z.array(PlanNode).optional(),
  }),
);
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: PlanNode })]) })]);

test("a page of a long history reads no more rows of each table than a page has", async () => {
  const { prisma } = database;
  for (const statement of longHistory.split(";")) await prisma.$executeRawUnsafe(statement);
  const { id: server_id } = await prisma.server.findFirstOrThrow();
  const { id: user_id } = await prisma.user.findUniqueOrThrow({ where: { username: "member" } });
  const address = { server_id, user_id };
  const middle = (await findHistory(database, address, { before: undefined, limit: 100 })).at(-1);
  expect(middle?.type).toBe("note");
  const audited = await prisma.auditLogEntry.findMany({
    where: { target_id: user_id },
    take: 2_000,
    orderBy: { id: "asc" },
  });
  for (const before of ["ffffffff-ffff-ffff-ffff-ffffffffffff", audited.at(-1)?.id ?? ""]) {
    const values = [server_id, user_id, before, "100"];
    const text = values.reduce(
      (sql, value, index) => sql.replaceAll(`$${index + 1}`, value === "100" ? value : `'${value}'::uuid`),
      pageStatement.text,
    );
    const read: Record<string, number> = {};
    const count = (node: PlanNode): void => {
      const table = node["Relation Name"];
      if (table !== undefined) read[table] = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
      for (const child of node.Plans ?? []) count(child);
    };
    const [row] = Explained.parse(await prisma.$queryRawUnsafe(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`));
    count(row["QUERY PLAN"][0].Plan);
    expect(Object.keys(read).toSorted()).toEqual(["audit_log_entries", "automod_logs", "member_notes", "reports"]);
    for (const [table, rows] of Object.entries(read)) expect([table, rows <= 100]).toEqual([table, true]);
  }
});
