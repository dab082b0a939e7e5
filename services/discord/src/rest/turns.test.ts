import { connectDatabase, type Database, defineStatement } from "@parley/database";
import { createGate, createTestDatabase, type TestDatabase, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTurns } from "./turns.js";

let testDatabase: TestDatabase;
let databases: Database[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info: () => {}, warn: () => {} };
  const open = () => connectDatabase({ url: testDatabase.url, poolMax: 4, applicationName: "turns.test", logger });
  databases = [await open(), await open()];
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await testDatabase.drop();
});

const waiting = defineStatement({
  name: "test: waiting",
  text: `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  row: () => true,
});

test("calls of one key run one after another, in all processes", async () => {
  const [database, other] = databases as [Database, Database];
  const [inTurn, inTurnElsewhere] = [createTurns({ database }), createTurns({ database: other })];
  const gate = createGate();
  const ran: string[] = [];
  const first = inTurn("a", async () => {
    ran.push("first begins");
    await gate.opened;
    ran.push("first ends");
    throw new Error("refused");
  });
  await waitUntil(() => ran.length > 0, { what: "the first call" });
  const second = inTurnElsewhere("a", async () => ran.push("second"));
  await waitUntil(async () => (await database.query(waiting, [])).length > 0, { what: "the second call to wait" });
  await inTurnElsewhere("b", async () => ran.push("of another key"));
  gate.open();
  await expect(first).rejects.toThrow("refused");
  await second;
  expect(ran).toEqual(["first begins", "of another key", "first ends", "second"]);
});
