import { connectDatabase, type Database } from "@parley/database/prisma";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { administratorsCommand } from "./command.js";

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function operate(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  return { code: await administratorsCommand(database, args, (line) => lines.push(line)), lines };
}

test("the last administrator who can act stays one, also when two are removed at once", async () => {
  const { user } = database.prisma;
  for (const username of ["ann", "bob"]) await user.create({ data: { username, is_admin: true } });
  await user.create({ data: { username: "gone", is_admin: true, disabled_at: new Date() } });
  const both = await Promise.all(["ann", "bob"].map((name) => operate("remove", name)));
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  const [last = ""] = (await operate("list")).lines.filter((name) => name !== "gone");
  expect(both.flatMap(({ lines }) => lines)).toContain(`${last} is the last administrator: add another one first.`);
  await user.create({ data: { username: "carol" } });
  expect((await operate("remove", "carol")).code).toBe(0);
  expect((await operate("add", "carol")).code).toBe(0);
  expect((await operate("remove", last)).code).toBe(0);
  expect((await operate("list")).lines).toEqual(["carol", "gone"]);
});
