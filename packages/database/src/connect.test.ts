import { createGate, createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { connectDatabase as connectWithoutPrisma, type Database as PlainDatabase } from "./connect.js";
import { isUnavailable } from "./errors.js";
import { connectDatabase, type Database } from "./prisma.js";
import type { Queryable } from "./queryable.js";
import { defineStatement, rowsOfArrays, type SqlValue } from "./statement.js";

const logger = { info: () => {}, warn: () => {} };
let testDatabase: TestDatabase;
let database: Database;
let withoutPrisma: PlainDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // A database whose own time zone is not UTC must not shift Prisma's times.
  const client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
  await client.query(`ALTER DATABASE ${testDatabase.name} SET timezone = 'Asia/Tokyo'`);
  await client.end();
  const options = { url: testDatabase.url, poolMax: 1, applicationName: "connect.test", logger };
  database = await connectDatabase(options);
  withoutPrisma = await connectWithoutPrisma(options);
});
afterAll(async () => {
  await database.close();
  await withoutPrisma.close();
  await testDatabase.drop();
});

const backend = defineStatement({
  name: "test: backend",
  text: "SELECT pg_backend_pid() AS pid",
  row: z.object({ pid: z.int() }).transform((row) => row.pid),
});
const insertUser = defineStatement({
  name: "test: insert user",
  text: "INSERT INTO users (username) VALUES ($1) RETURNING id",
  row: z.object({ id: z.uuid() }).transform((row) => row.id),
});
const renameUser = defineStatement({
  name: "test: rename user",
  text: "UPDATE users SET bio = 'x' WHERE username = $1",
});
const timeout = defineStatement({
  name: "test: timeout",
  text: "SELECT current_setting('transaction_timeout') AS timeout",
  row: z.object({ timeout: z.string() }).transform((row) => row.timeout),
});
const prepared = defineStatement({
  name: "test: prepared",
  text: "SELECT name, generic_plans + custom_plans AS runs, custom_plans AS planned FROM pg_prepared_statements",
  row: z.object({ name: z.string(), runs: z.bigint(), planned: z.bigint() }),
});
const echo = defineStatement({
  name: "test: echo",
  text: `SELECT $1::uuid AS id, $2::uuid[] AS ids, $3::timestamptz AS at, $4::integer AS int, $5::bigint AS big,
    $6::jsonb AS json, $7::text AS nothing, $8::boolean AS truth, $9::text[] AS texts, $10::real AS real, $11::bytea AS bytes`,
  row: (row) => ({ ...row, bytes: Buffer.from(z.instanceof(Uint8Array).parse(row.bytes)).toString("hex") }),
});

const id = "0190a000-0000-7000-8000-000000000001";
const echoValues: SqlValue[] = [
  ...[
    id,
    [id, id],
    new Date("2026-01-02T03:04:05.678Z"),
    5,
    2n ** 53n + 1n,
    JSON.stringify({ a: [1, "é"] }),
    null,
    true,
  ],
  ...[['a"b', "c,d", "{e}"], 0.25, new Uint8Array([0, 1, 255])],
];
const echoed = {
  ...{
    id,
    ids: [id, id],
    at: new Date("2026-01-02T03:04:05.678Z"),
    int: 5,
    big: 2n ** 53n + 1n,
    json: { a: [1, "é"] },
  },
  ...{ nothing: null, truth: true, texts: ['a"b', "c,d", "{e}"], real: 0.25, bytes: "0001ff" },
};

describe.each([
  ["on the pool", (work: (connection: Queryable) => Promise<void>) => work(database)],
  ["in a transaction", (work: (connection: Queryable) => Promise<void>) => database.transaction(work)],
  ["in one without Prisma", (work: (connection: Queryable) => Promise<void>) => withoutPrisma.transaction(work)],
])("a statement %s", (where, run) => {
  test("gives every type as it was passed, times to the millisecond", () =>
    run(async (connection) => {
      expect(await connection.query(echo, echoValues)).toEqual([echoed]);
    }));

  test("a statement is prepared once and then run by its name", () =>
    run(async (connection) => {
      const runs = async () => {
        const statements = await connection.query(prepared, []);
        return statements.find((statement) => statement.name === backend.name)?.runs ?? 0n;
      };
      await connection.query(backend, []);
      const before = await runs();
      await connection.query(backend, []);
      await connection.query(backend, []);
      expect((await runs()) - before).toBe(2n);
    }));

  test("counts the rows that it changed", () =>
    run(async (connection) => {
      const name = `count_${where.length}`;
      await connection.query(insertUser, [name]);
      expect(await connection.execute(renameUser, [name])).toBe(1);
      expect(await connection.execute(renameUser, ["nobody"])).toBe(0);
    }));
});

test("rows of arrays are planned once, however many they are", async () => {
  const rows = rowsOfArrays("uuid", "text");
  const numbered = defineStatement({
    name: "test: rows of arrays",
    // Costly for each row, so that few rows look much cheaper than some.
    text: `SELECT name, (SELECT count(*) FROM generate_series(1, 1000) WHERE id IS NOT NULL) AS thousand
      FROM ${rows} WITH ORDINALITY AS asked (id, name, position) ORDER BY position`,
    row: z.object({ name: z.string(), thousand: z.bigint() }),
  });
  for (let count = 1; count <= 8; count += 1) {
    const names = Array.from({ length: count }, (_, index) => `name ${index}`);
    const ids = names.map(() => "01890a5d-ac96-774b-bcce-b302099a8057");
    const found = await database.query(numbered, [ids, names]);
    expect(found).toEqual(names.map((name) => ({ name, thousand: 1_000n })));
  }
  const plans = await database.query(prepared, []);
  // PostgreSQL looks at the first five values that it gets, whatever the statement.
  expect(plans.find(({ name }) => name === numbered.name)?.planned).toBe(5n);
});

describe("a transaction", () => {
  const usernames = (prefix: string) => database.prisma.user.count({ where: { username: { startsWith: prefix } } });

  test("a transaction holds Prisma's calls and statements together, on one connection", async () => {
    await database.transaction(async (transaction) => {
      await transaction.prisma.user.create({ data: { username: "tx_one" } });
      await transaction.query(insertUser, ["tx_two"]);
      expect(await transaction.prisma.user.count({ where: { username: { startsWith: "tx_" } } })).toBe(2);
      const [pid] = await transaction.query(backend, []);
      expect((await transaction.query(backend, []))[0]).toBe(pid);
    });
    expect(await usernames("tx_")).toBe(2);
  });

  test("a transaction leaves nothing behind when its work rejects", async () => {
    const work = database.transaction(async (transaction) => {
      await transaction.query(insertUser, ["gone_one"]);
      await transaction.prisma.user.create({ data: { username: "gone_two" } });
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(await usernames("gone_")).toBe(0);
  });

  test("a transaction without Prisma commits as one, leaves nothing behind when its work rejects, and ends after a time", async () => {
    const [before] = await withoutPrisma.query(backend, []);
    const insertTwo = (name: string, fails: boolean) =>
      withoutPrisma.transaction(async (transaction) => {
        await transaction.query(insertUser, [`${name}_one`]);
        expect(await transaction.query(backend, [])).toEqual([before]);
        expect(await transaction.query(timeout, [])).toEqual(["10s"]);
        await transaction.query(insertUser, [fails ? `${name}_one` : `${name}_two`]);
      });
    await insertTwo("plain", false);
    await expect(insertTwo("refused", true)).rejects.toMatchObject({ code: "23505" });
    expect([await usernames("plain_"), await usernames("refused_")]).toEqual([2, 0]);
    // The connection is kept, and its limit was that of the transaction.
    expect(await withoutPrisma.query(backend, [])).toEqual([before]);
    expect(await withoutPrisma.query(timeout, [])).toEqual(["0"]);
  });

  test.each([
    ["with Prisma", connectDatabase],
    ["without Prisma", connectWithoutPrisma],
  ])("a transaction %s that deadlocks with another one is run again, so that both commit", async (how, connect) => {
    const options = { url: testDatabase.url, poolMax: 2, applicationName: "deadlock", logger };
    const two: PlainDatabase = await connect(options);
    const [a, b] = [`lock_a_${how.length}`, `lock_b_${how.length}`];
    try {
      await two.query(insertUser, [a]);
      await two.query(insertUser, [b]);
      let holding = 0;
      const bothHold = createGate();
      let runs = 0;
      const renameInOrder = (first: string, second: string) =>
        two.transaction(async (transaction) => {
          runs += 1;
          await transaction.execute(renameUser, [first]);
          holding += 1;
          if (holding === 2) bothHold.open();
          await bothHold.opened;
          await transaction.execute(renameUser, [second]);
        });
      await Promise.all([renameInOrder(a, b), renameInOrder(b, a)]);
      // More than once where the one that was canceled overtakes the other.
      expect(runs).toBeGreaterThan(2);
    } finally {
      await two.close();
    }
  });

  test("a statement of its own that deadlocks with another transaction is run again", async () => {
    // A sequence counts what was rolled back, too.
    await database.prisma.$executeRawUnsafe("CREATE SEQUENCE conflicts");
    await database.prisma.$executeRawUnsafe(`CREATE FUNCTION conflict() RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE run bigint := nextval('conflicts');
      BEGIN
        IF run % 2 = 1 THEN RAISE deadlock_detected; END IF;
        RETURN run;
      END $$`);
    const conflict = { name: "test: conflict", text: "SELECT conflict()::integer AS run" };
    expect(await database.query(defineStatement({ ...conflict, row: (row) => row.run }), [])).toEqual([2]);
    expect(await database.execute(defineStatement(conflict), [])).toBe(1);
  });
});

describe("times", () => {
  test("times that Prisma writes and reads are those that PostgreSQL stores, whatever the database's time zone", async () => {
    const at = new Date("2026-07-01T12:00:00.123Z");
    const user = await database.prisma.user.create({ data: { username: "clock", created_at: at } });
    expect(user.created_at).toEqual(at);
    const stored = defineStatement({
      name: "test: stored time",
      text: "SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS text FROM users WHERE id = $1",
      row: (row) => row.text,
    });
    expect(await database.query(stored, [user.id])).toEqual(["2026-07-01 12:00:00.123"]);
  });

  test("times of the database's own clock agree with ours", async () => {
    const before = Date.now();
    const user = await database.prisma.user.create({ data: { username: "now" } });
    expect(user.created_at.getTime()).toBeGreaterThanOrEqual(before - 1);
    expect(user.created_at.getTime()).toBeLessThanOrEqual(Date.now() + 1);
  });
});

test("a refused row does not cost the connection", async () => {
  const [before] = await database.query(backend, []);
  await database.query(insertUser, ["taken"]);
  await expect(database.query(insertUser, ["taken"])).rejects.toThrow();
  await expect(database.prisma.user.create({ data: { username: "taken" } })).rejects.toThrow();
  await expect(database.transaction((transaction) => transaction.query(insertUser, ["taken"]))).rejects.toThrow();
  expect(await database.query(backend, [])).toEqual([before]);
});

test("more callers than connections wait for their turn", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `queue_${n}`);
  const ids = await Promise.all(names.map((name) => database.query(insertUser, [name])));
  expect(new Set(ids.flat()).size).toBe(20);
});

test("ping resolves while PostgreSQL answers and rejects in time when it does not", async () => {
  await expect(database.ping(1_000)).resolves.toBeUndefined();
  const sleep = defineStatement({ name: "test: sleep", text: "SELECT pg_sleep(0.5)" });
  const busy = database.execute(sleep, []);
  const error: unknown = await database.ping(50).catch((failure: unknown) => failure);
  expect(String(error)).toContain("50 ms");
  expect(isUnavailable(error)).toBe(true);
  await busy;
});
