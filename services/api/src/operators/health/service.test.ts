import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHealthReport } from "./service.js";

const logger = { info: () => {}, warn: () => {}, error: () => {} };
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "health-test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

test("callers of one second share an answer of the database, and later ones get a new one", async () => {
  let pings = 0;
  const ping = (timeoutMs: number) => {
    pings += 1;
    return database.ping(timeoutMs);
  };
  let connections = 0;
  const report = createHealthReport({
    database: { ...database, ping },
    version: "0",
    countConnections: async () => connections,
  });
  const startedAt = performance.now();
  const reports = await Promise.all(Array.from({ length: 200 }, () => report()));
  for (let n = 0; n < 200; n += 1) reports.push(await report());
  expect(pings).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startedAt) / 1000));
  expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(["ok"]));

  connections = 7;
  const before = pings;
  await waitUntil(async () => (await report()).connections.websocket === 7);
  expect(pings).toBe(before + 1);
});
