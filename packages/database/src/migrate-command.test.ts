import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrateCommand } from "./migrate-command.js";

let database: TestDatabase;
let lines: string[];
const write = (line: string) => void lines.push(line);
const reported = () => lines.map((line): unknown => JSON.parse(line));

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  lines = [];
});
afterEach(() => database.drop());

test("the migrate command migrates and says so in one line, then says that there is nothing to do", async () => {
  expect(await migrateCommand({ DATABASE_URL: database.url }, write)).toBe(0);
  expect(await migrateCommand({ DATABASE_URL: database.url }, write)).toBe(0);
  expect(reported()).toMatchObject([
    { level: "info", msg: "migrated", applied: expect.arrayContaining([expect.any(String)]) },
    { level: "info", msg: "nothing to migrate", applied: [] },
  ]);
});

test("the migrate command finds the migrations elsewhere by MIGRATIONS_DIR", async () => {
  const empty = await mkdtemp(join(tmpdir(), "migrations-"));
  expect(await migrateCommand({ DATABASE_URL: database.url, MIGRATIONS_DIR: empty }, write)).toBe(0);
  expect(reported()).toMatchObject([{ applied: [] }]);
  await rmdir(empty);
});

test.each([
  ["DATABASE_URL is missing", {}, "DATABASE_URL is required"],
  ["DATABASE_URL is empty", { DATABASE_URL: "" }, "DATABASE_URL is required"],
  ["DATABASE_URL is no URL", { DATABASE_URL: "secret" }, "DATABASE_URL must be a URL that starts with postgresql://"],
  ["DATABASE_URL has no host", { DATABASE_URL: "postgresql:///x" }, "DATABASE_URL must name a host"],
  ["nobody answers", { DATABASE_URL: "postgresql://u:secret@127.0.0.1:1/x" }, "ECONNREFUSED"],
  ["the folder is missing", { DATABASE_URL: "postgresql://u:secret@127.0.0.1:1/x", MIGRATIONS_DIR: "/none" }, "ENOENT"],
])("the migrate command fails with one line when %s, and never shows a password", async (_, environment, message) => {
  expect(await migrateCommand(environment, write)).toBe(1);
  expect(reported()).toEqual([expect.objectContaining({ level: "error", msg: expect.stringContaining(message) })]);
  expect(lines.join()).not.toContain("secret");
});
