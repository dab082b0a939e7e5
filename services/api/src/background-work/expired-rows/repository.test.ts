import { randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkedTargets, closedReports, expireBatch, missingTargets } from "./repository.js";

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

test("the copy in a report goes 90 days after it was closed, some at a time, and the report stays", async () => {
  const { prisma } = database;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  for (const closed_at of [null, daysAgo(89), daysAgo(91), daysAgo(92), daysAgo(93)]) {
    const about = { target_type: "user", target_id: randomUUID(), content: "x", category: "other", source: "member" };
    const state = { status: closed_at === null ? "open" : "closed", closed_at, created_at: daysAgo(100) };
    await prisma.report.create({ data: { ...about, ...state, reasons: ["rude"] } });
  }
  expect(await expireBatch(database, closedReports, 2)).toBe(true);
  expect(await expireBatch(database, closedReports, 2)).toBe(false);
  const rows = await prisma.report.findMany({ orderBy: { id: "asc" } });
  expect(rows.map(({ content }) => content)).toEqual(["x", "x", null, null, null]);
  expect(rows.map(({ reasons }) => reasons)).toEqual(Array(5).fill(["rude"]));
});

test("settings of what does not exist go after 30 days, unless it is there by then", async () => {
  const { prisma } = database;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const { id: user_id } = await prisma.user.create({ data: { username: "ann" } });
  const server = await prisma.server.create({ data: { name: "Chess", owner_id: user_id } });
  const target = (target_id: string, checked: number, missing: number | null) => ({
    ...{ user_id, kind: "server", target_id, level: "all", checked_at: daysAgo(checked) },
    missing_since: missing === null ? null : daysAgo(missing),
  });
  const [fresh, unseen, kept, gone] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await prisma.notificationTarget.createMany({
    data: [
      target(server.id, 2, 40),
      target(fresh, 0, null),
      target(unseen, 2, null),
      target(kept, 2, 29),
      target(gone, 2, 31),
    ],
  });
  for (const each of [checkedTargets, missingTargets]) expect(await expireBatch(database, each, 10)).toBe(false);
  const rows = await prisma.notificationTarget.findMany();
  const missing = new Map(rows.map(({ target_id, missing_since }) => [target_id, missing_since !== null]));
  expect(Object.fromEntries(missing)).toEqual({ [server.id]: false, [fresh]: false, [unseen]: true, [kept]: true });
});
