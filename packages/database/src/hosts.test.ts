import { join } from "node:path";
import {
  type PostgresWithStandby,
  runContext,
  startPostgresWithStandby,
  startTcpProxy,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { connectDatabase as connectWithoutPrisma } from "./connect.js";
import { isUnavailable } from "./errors.js";
import { migrate } from "./migrate.js";
import { connectDatabase, type Database } from "./prisma.js";
import { defineStatement } from "./statement.js";

const logger = { info: () => {}, warn: () => {} };
const port = defineStatement({
  name: "test: port",
  text: "SELECT current_setting('port') AS port",
  row: z.object({ port: z.string() }).transform((row) => Number(row.port)),
});

/** As a write does, this needs a host that takes writes. */
const lock = defineStatement({
  name: "test: lock",
  text: "SELECT id FROM users FOR UPDATE",
  row: z.object({ id: z.string() }),
});

let postgres: PostgresWithStandby;
const databases: { close: () => Promise<void> }[] = [];
beforeAll(async () => {
  postgres = await startPostgresWithStandby();
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await postgres?.stop();
});

const migrationsDir = () => join(runContext().root, "prisma", "migrations");
const options = (url: string) => ({ url, poolMax: 4, applicationName: "hosts.test", logger });
async function open(url: string): Promise<Database> {
  const database = await connectDatabase(options(url));
  databases.push(database);
  return database;
}
/** The same hosts, the standby first. */
function swapped(url: string): string {
  const [first, second] = [postgres.primary, postgres.standby].map(({ port }) => `127.0.0.1:${port}`);
  return url.replace(`${first},${second}`, `${second},${first}`);
}

test("the migration job and services with several hosts use the one that takes writes, wherever it is in the list", async () => {
  await migrate({ databaseUrl: swapped(postgres.url), migrationsDir: migrationsDir() });
  for (const url of [postgres.url, swapped(postgres.url), swapped(postgres.url).split("?")[0] ?? ""]) {
    const database = await open(url);
    expect(await Promise.all(Array.from({ length: 8 }, () => database.query(port, [])))).toEqual(
      Array.from({ length: 8 }, () => [postgres.primary.port]),
    );
    await database.prisma.user.findFirst();
  }
});

test("a single host that must take writes is refused while it does not, and a wrong password is reported as such", async () => {
  const readOnly = `${postgres.standby.url}?target_session_attrs=read-write`;
  const refusal = await connectWithoutPrisma(options(readOnly)).catch((error: unknown) => error);
  expect(String(refusal)).toContain(`No host takes writes: 127.0.0.1:${postgres.standby.port} is read-only`);
  expect(isUnavailable(refusal)).toBe(true);
  const wrong = await connectWithoutPrisma(options(postgres.url.replace(/:[^:@/]+@/, ":wrong@"))).catch(
    (error: unknown) => error,
  );
  expect(String(wrong)).toContain("password authentication failed");
  expect(isUnavailable(wrong)).toBe(false);
});

test("a host that accepts connections and says nothing keeps nobody from the next one", async () => {
  const silent = await startTcpProxy(postgres.primary.url, () => ({ toServer: () => undefined }));
  try {
    const database = await open(postgres.url.replace("@", `@127.0.0.1:${silent.port},`));
    expect(await database.query(port, [])).toEqual([postgres.primary.port]);
  } finally {
    await silent.close();
  }
});

test("when the primary dies, calls fail as an outage until its standby is promoted, and then go there, Prisma's as well", async () => {
  const [one, two] = await Promise.all([open(postgres.url), open(swapped(postgres.url))]);
  const kept = await one.prisma.user.create({ data: { username: "kept" } });
  await two.query(port, []);
  await postgres.primary.kill();
  const failure = await waitUntil(() =>
    one.query(port, []).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  expect(isUnavailable(failure)).toBe(true);
  const refusal = await two.query(port, []).catch((error: unknown) => error);
  expect(isUnavailable(refusal)).toBe(true);

  const promotedAt = performance.now();
  await postgres.promote();
  for (const database of [one, two]) {
    await waitUntil(async () => (await database.query(port, []))[0] === postgres.standby.port, { what: "the standby" });
    await database.prisma.user.update({ where: { id: kept.id }, data: { bio: "written" } });
  }
  process.stdout.write(
    `hosts: writes ${((performance.now() - promotedAt) / 1_000).toFixed(1)} s after the promotion began\n`,
  );
});

/** Settings of the standby, which takes writes by now, as an administrator changes them. */
async function openStandby() {
  const admin = new pg.Client({ connectionString: postgres.standby.url });
  await admin.connect();
  return {
    isAsked: async () => {
      const text = "SELECT FROM pg_stat_activity WHERE application_name = 'which host takes writes' AND query <> ''";
      return (await admin.query(text)).rowCount !== 0;
    },
    setReadOnly: async (value: "on" | "off") => {
      await admin.query("SET transaction_read_only = off");
      await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await admin.query("SELECT pg_reload_conf()");
    },
    end: () => admin.end(),
  };
}

test("connections are not kept to a host that has become read-only, and it is used again when it takes writes", async () => {
  const database = await open(postgres.url);
  const standby = await openStandby();
  const write = () =>
    database.query(lock, []).then(
      () => "written",
      (error: unknown) => (isUnavailable(error) ? String(error) : "another error"),
    );
  try {
    await standby.setReadOnly("on");
    await waitUntil(async () => (await write()).includes("No host takes writes"), {
      what: "the search for another one",
    });
    await standby.setReadOnly("off");
    await waitUntil(async () => (await write()) === "written", { what: "writes" });
  } finally {
    await standby.end();
  }
});

test("a call that waits for the answer of a host which is gone goes to another one that begins to take writes meanwhile", async () => {
  const silent = await startTcpProxy(postgres.standby.url, () => ({ toServer: () => undefined }));
  const standby = await openStandby();
  try {
    await standby.setReadOnly("on");
    const opened = open(postgres.standby.url.replace("@", `@127.0.0.1:${silent.port},`));
    await waitUntil(standby.isAsked, { what: "the question whether the standby takes writes" });
    await standby.setReadOnly("off");
    expect(await (await opened).query(port, [])).toEqual([postgres.standby.port]);
  } finally {
    await standby.end();
    await silent.close();
  }
});
