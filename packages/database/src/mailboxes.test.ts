import { readFile } from "node:fs/promises";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

const migration = new URL(
  "../../../prisma/migrations/20260223000001_one_account_a_mailbox/migration.sql",
  import.meta.url,
);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test("where accounts share a mailbox, the migration keeps all addresses, and names all accounts but the oldest", async () => {
  const notices: (string | undefined)[] = [];
  client.on("notice", ({ message }) => notices.push(message));
  await client.query("DROP INDEX users_mailbox_key, users_shares_mailbox_idx");
  await client.query(`INSERT INTO users (username, email, created_at) VALUES
    ('newest', 'ANN.X@EXAMPLE.ORG', '2026-01-03'), ('oldest', 'Ann.x@Example.ORG', '2026-01-01'),
    ('middle', 'ann.x@example.org', '2026-01-02'), ('other', 'Ann@example.org', '2026-01-01'), ('nobody', NULL, '2026-01-01')`);
  await client.query(await readFile(migration, "utf8"));
  expect(notices).toEqual([expect.stringMatching(/: middle, newest$/)]);
  const { rows } = await client.query("SELECT username, email, shares_mailbox FROM users ORDER BY username");
  expect(rows.map(({ username, email, shares_mailbox }) => [username, email, shares_mailbox])).toEqual([
    ["middle", "ann.x@example.org", true],
    ["newest", "ANN.X@EXAMPLE.ORG", true],
    ["nobody", null, false],
    ["oldest", "Ann.x@Example.ORG", false],
    ["other", "Ann@example.org", false],
  ]);
});

test("letters outside of ASCII keep addresses apart, whatever the language of the database", async () => {
  const { rows } = await client.query("SELECT mailbox_of('ÄB.I@İx.example') AS mailbox");
  expect(rows).toEqual([{ mailbox: "Äb.i@İx.example" }]);
});
