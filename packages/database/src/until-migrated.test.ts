import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MigrationError, migrate } from "./migrate.js";
import { defaultMigrationsDir, readMigrationFiles } from "./migration-files.js";
import { connectDatabase, type Database } from "./prisma.js";

let empty: TestDatabase;
let database: Database;
let newest: string;
const waits: object[] = [];
const logger = { info: () => {}, warn: (fields: object) => void waits.push(fields) };

beforeAll(async () => {
  empty = await createTestDatabase({ migrated: false });
  database = await connectDatabase({ url: empty.url, poolMax: 2, applicationName: "until-migrated.test", logger });
  newest = (await readMigrationFiles(defaultMigrationsDir)).at(-1)?.name ?? "";
});
afterAll(async () => {
  await database?.close();
  await empty?.drop();
});

test("a database without the schema is given up on with the name of the missing migration", async () => {
  const message = `The database lacks the migration ${newest}; run the migration job`;
  await expect(database.untilMigrated(0)).rejects.toThrow(new MigrationError(message));
});

test("the wait ends when the newest migration of the build is applied, and is logged once", async () => {
  waits.length = 0;
  let isOver = false;
  const waiting = database.untilMigrated().then(() => {
    isOver = true;
  });
  await expect.poll(() => waits).toEqual([{ migration: newest }]);
  expect(isOver).toBe(false);
  await migrate({ databaseUrl: empty.url });
  await waiting;
  expect(waits).toHaveLength(1);
});

test("a migration that is recorded as failed or rolled back counts as missing, and a newer one is no obstacle", async () => {
  await database.prisma.$executeRaw`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('newer', '', '29990101000000_newer', now())`;
  await database.untilMigrated(0);
  await database.prisma.$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${newest}`;
  await expect(database.untilMigrated(0)).rejects.toThrow(MigrationError);
});
