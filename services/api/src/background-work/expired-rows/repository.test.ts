import { randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closedReports, expireBatch } from "./repository.js";

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
