import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MigrationError, migrate } from "./migrate.js";
import { readMigrationFiles } from "./migration-files.js";

let database: TestDatabase;
let client: pg.Client;
let migrationsDir: string;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  migrationsDir = await mkdtemp(join(tmpdir(), "migrations-"));
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(migrationsDir, { recursive: true });
});

async function writeMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(migrationsDir, name), { recursive: true });
  await writeFile(join(migrationsDir, name, "migration.sql"), sql);
}

const run = () => migrate({ databaseUrl: database.url, migrationsDir });

async function history(): Promise<object[]> {
  const { rows } = await client.query<object>("SELECT * FROM _prisma_migrations ORDER BY started_at, migration_name");
  return rows;
}

async function tableExists(name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [name]);
  return rows[0]?.found ?? false;
}

test("a runner applies this repository's migrations to an empty database, and then finds nothing to do", async () => {
  const names = (await readMigrationFiles(new URL("../../../prisma/migrations", import.meta.url).pathname)).map(
    (file) => file.name,
  );
  expect(names.length).toBeGreaterThan(0);
  expect(await migrate({ databaseUrl: database.url })).toEqual({ applied: names });
  expect(await tableExists("messages")).toBe(true);
  expect(await migrate({ databaseUrl: database.url })).toEqual({ applied: [] });
});

test("a runner applies only new migrations, in the order of the names", async () => {
  await writeMigration("20260102000000_second", "ALTER TABLE a ADD COLUMN n integer");
  await writeMigration("20260101000000_first", "CREATE TABLE a (id integer)");
  expect(await run()).toEqual({ applied: ["20260101000000_first", "20260102000000_second"] });
  await writeMigration("20260103000000_third", "INSERT INTO a (n) VALUES (1); INSERT INTO a (n) VALUES (2)");
  expect(await run()).toEqual({ applied: ["20260103000000_third"] });
  expect((await client.query("SELECT n FROM a ORDER BY n")).rows).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a runner records a migration as Prisma does", async () => {
  const sql = "CREATE TABLE a (id integer) -- é";
  await writeMigration("20260101000000_first", sql);
  await run();
  expect(await history()).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      checksum: createHash("sha256").update(sql, "utf8").digest("hex"),
      migration_name: "20260101000000_first",
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    },
  ]);
});

test("only one of several runners works at a time; the others wait and find nothing to do", async () => {
  await writeMigration("20260101000000_first", "CREATE TABLE a (id integer); SELECT pg_sleep(0.2)");
  await writeMigration("20260102000000_second", "CREATE TABLE b (id integer)");
  const results = await Promise.all([run(), run(), run()]);
  expect(results.flatMap(({ applied }) => applied).sort()).toEqual(["20260101000000_first", "20260102000000_second"]);
  expect(await history()).toHaveLength(2);
});

test("a migration that fails half-way leaves nothing behind, names the line, and is tried again later", async () => {
  await writeMigration("20260101000000_first", "CREATE TABLE a (id integer)");
  await writeMigration("20260102000000_broken", "CREATE TABLE b (id integer);\n\nALTER TABLE missing ADD c text;");
  await writeMigration("20260103000000_later", "CREATE TABLE c (id integer)");

  await expect(run()).rejects.toThrow(
    new MigrationError('Migration 20260102000000_broken failed: relation "missing" does not exist'),
  );
  expect([await tableExists("a"), await tableExists("b"), await tableExists("c")]).toEqual([true, false, false]);
  expect(await history()).toHaveLength(1);

  await writeMigration("20260102000000_broken", "CREATE TABLE b (id integer);\n\nSELEC 1;");
  await expect(run()).rejects.toThrow("Migration 20260102000000_broken failed at line 3: syntax error");

  await writeMigration("20260102000000_broken", "CREATE TABLE b (id integer)");
  expect(await run()).toEqual({ applied: ["20260102000000_broken", "20260103000000_later"] });
});

test("a migration that cannot be recorded is not applied", async () => {
  await writeMigration(
    "20260101000000_first",
    "CREATE TABLE a (id integer); ALTER TABLE _prisma_migrations RENAME TO b",
  );
  await expect(run()).rejects.toThrow("Migration 20260101000000_first failed");
  expect(await tableExists("a")).toBe(false);
  expect(await history()).toEqual([]);
});

test("a runner refuses to go on when an applied migration's file was changed", async () => {
  await writeMigration("20260101000000_first", "CREATE TABLE a (id integer)");
  await run();
  await writeMigration("20260101000000_first", "CREATE TABLE a (id bigint)");
  await writeMigration("20260102000000_second", "CREATE TABLE b (id integer)");
  await expect(run()).rejects.toThrow(
    new MigrationError("Migration 20260101000000_first was changed after it was applied; restore its file"),
  );
  expect(await tableExists("b")).toBe(false);
});

test("a runner refuses to go on when a migration is recorded as failed, until that is marked as rolled back", async () => {
  await writeMigration("20260101000000_first", "CREATE TABLE a (id integer)");
  await run();
  await client.query("UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(run()).rejects.toThrow("Migration 20260101000000_first is recorded as failed");
  await client.query("DROP TABLE a");
  await client.query("UPDATE _prisma_migrations SET rolled_back_at = now()");
  expect(await run()).toEqual({ applied: ["20260101000000_first"] });
});

test("a runner accepts a database that is ahead of its folder, as after a rollback of the services", async () => {
  await writeMigration("20260101000000_first", "CREATE TABLE a (id integer)");
  await writeMigration("20260102000000_second", "CREATE TABLE b (id integer)");
  await run();
  await rm(join(migrationsDir, "20260102000000_second"), { recursive: true });
  expect(await run()).toEqual({ applied: [] });
});

test("a runner reports a database that it cannot reach", async () => {
  await writeMigration("20260101000000_first", "SELECT 1");
  await expect(migrate({ databaseUrl: "postgresql://nobody@127.0.0.1:1/none", migrationsDir })).rejects.toThrow(
    "ECONNREFUSED",
  );
});
