import { connectDatabase, type Database } from "@parley/database/prisma";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { grantAdmins } from "./grant-admins.js";

let testDatabase: TestDatabase;
let database: Database;
const warned: unknown[] = [];
const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
vi.spyOn(logger, "warn").mockImplementation((details: unknown) => void warned.push(details));

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const register = async (username: string) => (await database.prisma.user.create({ data: { username } })).id;
/** A process starts with these names, and perhaps knows when the operator started the installation. */
const start = (usernames: string[], operatorStartedAt?: Date) =>
  grantAdmins(database, { usernames, operatorStartedAt, logger });
const isAdmin = async (id: string) => {
  const { is_admin, admin_by_setting } = await database.prisma.user.findUniqueOrThrow({ where: { id } });
  return is_admin || admin_by_setting;
};

test("a name that was listed before it was registered makes an administrator of nobody until an operator starts again", async () => {
  const real = await register("listed_real");
  await start(["listed_free", "listed_real"]);
  expect(await isAdmin(real)).toBe(true);
  expect(warned.at(-1)).toEqual({ free: ["listed_free"], registered_later: [] });
  const earlier = new Date();
  const stranger = await register("listed_free");
  // The name of a deleted account is free again.
  await database.prisma.user.delete({ where: { id: real } });
  const successor = await register("listed_real");
  // A crash or a second process, and a process that knows an earlier start of the operator.
  for (const operator of [undefined, earlier]) await start(["listed_free", "listed_real"], operator);
  expect(await Promise.all([stranger, successor].map(isAdmin))).toEqual([false, false]);
  expect(warned.at(-1)).toEqual({ free: [], registered_later: ["listed_free", "listed_real"] });
  await start(["listed_free", "listed_real"], new Date(Date.now() + 1_000));
  expect(await Promise.all([stranger, successor].map(isAdmin))).toEqual([true, true]);
});

test("a process without a name ends the rights that the setting granted", async () => {
  const listed = await register("listed_once");
  await start(["listed_once"]);
  expect(await isAdmin(listed)).toBe(true);
  await start([]);
  expect(await isAdmin(listed)).toBe(false);
});
