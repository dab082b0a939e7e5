import { serviceRoleName, serviceUrl } from "@parley/local-stack";
import { createTestDatabase, runContext, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateCommand } from "./migrate-command.js";
import { grantServiceRole } from "./service-role.js";

let database: TestDatabase;
let service: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  service = new pg.Client({ connectionString: serviceUrl(database.url) });
  await service.connect();
});
afterAll(async () => {
  await service.end();
  await database.drop();
});

test("the role of services reads and writes the rows of every table but the record of migrations", async () => {
  const { rows } = await service.query<{ name: string; granted: string[] }>(
    `SELECT t.tablename AS name, array_agg(p ORDER BY p) FILTER (WHERE has_table_privilege(current_user, t.tablename::regclass, p)) AS granted
     FROM pg_tables t CROSS JOIN unnest(ARRAY['DELETE','INSERT','SELECT','TRUNCATE','UPDATE','REFERENCES','TRIGGER']) p
     WHERE t.schemaname = 'public' GROUP BY t.tablename`,
  );
  expect(rows.length).toBeGreaterThan(50);
  for (const { name, granted } of rows) {
    const wanted = name === "_prisma_migrations" ? ["SELECT"] : ["DELETE", "INSERT", "SELECT", "UPDATE"];
    expect([name, granted]).toEqual([name, wanted]);
  }
});

test.each([
  ["makes a table", "CREATE TABLE own (id int)"],
  ["changes a table", "ALTER TABLE users ADD COLUMN own int"],
  ["empties a table", "TRUNCATE users"],
  ["removes a table", "DROP TABLE messages"],
  ["runs a program", "COPY (SELECT 1) TO PROGRAM 'true'"],
  ["reads a file of the server", "SELECT pg_read_file('postgresql.conf')"],
  ["makes a role", "CREATE ROLE own SUPERUSER"],
  ["becomes the owner", `SET ROLE ${new URL(runContext().postgresUrl).username}`],
  ["records a migration", "DELETE FROM _prisma_migrations"],
])("the role of services never %s", async (_, statement) => {
  await expect(service.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("the migration job makes the role and gives it a changed password, and jobs of several databases at once do not disturb each other", async () => {
  const name = `role_${database.name}`;
  const others = await Promise.all([1, 2, 3].map(() => createTestDatabase()));
  const login = async (password: string) => {
    const url = new URL(database.url);
    [url.username, url.password] = [name, password];
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    const { rows } = await client.query<{ count: string }>("SELECT count(*) FROM users");
    await client.end();
    return rows.length;
  };
  const run = (url: string, password: string) =>
    migrateCommand(
      { DATABASE_URL: serviceUrl(url), MIGRATION_DATABASE_URL: url, SERVICE_ROLE: name, SERVICE_PASSWORD: password },
      () => {},
    );
  const urls = [database.url, ...others.map(({ url }) => url)];
  expect(await Promise.all(urls.map((url) => run(url, "first'\\password")))).toEqual([0, 0, 0, 0]);
  expect(await login("first'\\password")).toBe(1);
  expect(await run(database.url, "second-password")).toBe(0);
  await expect(login("first'\\password")).rejects.toMatchObject({ code: "28P01" });
  expect(await login("second-password")).toBe(1);
  await Promise.all(others.map((other) => other.drop()));
});

test("a role without a password given must exist, and gets its rights", async () => {
  const missing = grantServiceRole({ databaseUrl: database.url, role: { name: "nobody_has_this_name" } });
  await expect(missing).rejects.toMatchObject({ code: "42704" });
  await grantServiceRole({ databaseUrl: database.url, role: { name: serviceRoleName } });
});
