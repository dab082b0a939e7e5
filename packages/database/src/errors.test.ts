import { createTestDatabase, startPostgres, type TestDatabase, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isForeignKeyViolation, isMissingRow, isUnavailable, isUniqueViolation, isWriteConflict } from "./errors.js";
import type { Queryable } from "./prisma.js";
import { connectDatabase, type Database } from "./prisma.js";
import { defineStatement } from "./statement.js";

const logger = { info: () => {}, warn: () => {} };
const nobody = "0190a000-0000-7000-8000-000000000099";

const insertUser = defineStatement({
  name: "test: insert a user for an error",
  text: "INSERT INTO users (username) VALUES ($1)",
});
const insertServer = defineStatement({
  name: "test: insert server",
  text: "INSERT INTO servers (name, owner_id) VALUES ('x', $1)",
});
const sleep = defineStatement({ name: "test: sleep for an error", text: "SELECT pg_sleep(5)" });
const endOwnConnection = defineStatement({
  name: "test: end own connection",
  text: "SELECT pg_terminate_backend(pg_backend_pid())",
});
const raiseDeadlock = defineStatement({
  name: "test: raise deadlock",
  text: "DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$",
});
const selectOne = defineStatement({ name: "test: select one", text: "SELECT 1 AS one", row: (row) => row.one });

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail("was expected to fail"),
    (error: unknown) => error,
  );

describe("the kinds of failures", () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await connectDatabase({
      ...{ url: testDatabase.url, poolMax: 2, applicationName: "errors.test", statementTimeoutMs: 300, logger },
    });
    await database.execute(insertUser, ["ann"]);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const classify = (error: unknown) => ({
    unique: isUniqueViolation(error),
    foreignKey: isForeignKeyViolation(error),
    missing: isMissingRow(error),
    conflict: isWriteConflict(error),
    unavailable: isUnavailable(error),
  });
  const none = { unique: false, foreignKey: false, missing: false, conflict: false, unavailable: false };

  type Work = (connection: Queryable) => Promise<unknown>;
  const ways: [string, (work: Work) => Promise<unknown>][] = [
    ["on the pool", (work) => work(database)],
    ["in a transaction", (work) => database.transaction(work)],
  ];
  describe.each(ways)("%s", (_, run) => {
    const works: [string, Work, Partial<typeof none>, string | undefined][] = [
      ["a taken name, by a statement", (c) => c.execute(insertUser, ["ann"]), { unique: true }, "users_username_key"],
      [
        "a taken name, by Prisma",
        (c) => c.prisma.user.create({ data: { username: "ann" } }),
        { unique: true },
        "users_username_key",
      ],
      [
        "a missing owner, by a statement",
        (c) => c.execute(insertServer, [nobody]),
        { foreignKey: true, missing: true },
        "servers_owner_id_fkey",
      ],
      [
        "a missing owner, by Prisma",
        (c) => c.prisma.server.create({ data: { name: "x", owner_id: nobody } }),
        { foreignKey: true, missing: true },
        "servers_owner_id_fkey",
      ],
      [
        "a user who is gone, changed",
        (c) => c.prisma.user.update({ where: { id: nobody }, data: { bio: null } }),
        { missing: true },
        undefined,
      ],
      [
        "a user who is gone, read",
        (c) => c.prisma.user.findUniqueOrThrow({ where: { id: nobody } }),
        { missing: true },
        undefined,
      ],
      [
        "a user who is gone, referred to",
        (c) => c.prisma.server.create({ data: { name: "x", owner: { connect: { id: nobody } } } }),
        { missing: true },
        undefined,
      ],
      ["a bad name, by a statement", (c) => c.execute(insertUser, ["a b"]), {}, "users_username_check"],
      ["a bad name, by Prisma", (c) => c.prisma.user.create({ data: { username: "a b" } }), {}, "users_username_check"],
      ["a deadlock", (c) => c.execute(raiseDeadlock, []), { conflict: true }, undefined],
      ["a statement that takes too long", (c) => c.execute(sleep, []), { unavailable: true }, undefined],
      ["a connection that ends", (c) => c.execute(endOwnConnection, []), { unavailable: true }, undefined],
    ];

    test.each(works)("a failure of a database is recognised: %s", async (_, work, expected, constraint) => {
      const error = await failureOf(run(work));
      expect(classify(error)).toEqual({ ...none, ...expected });
      if (constraint !== undefined) {
        const ask = [isUniqueViolation, isForeignKeyViolation];
        expect(ask.map((is) => is(error, constraint))).toEqual(ask.map((is) => is(error)));
        expect(ask.map((is) => is(error, "another_constraint"))).toEqual([false, false]);
      }
    });
  });

  test.each([undefined, null, "ECONNREFUSED", new Error("x"), { code: 23505 }, new TypeError("not a function")])(
    "%s is none of the known failures of a database",
    (error) => {
      expect(classify(error)).toEqual(none);
    },
  );

  test("a failure behind another one is found through its cause", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    expect(isUnavailable(new Error("could not save", { cause: refused }))).toBe(true);
  });
});

describe("an outage", () => {
  test("an outage is unavailable to every way in, and over as soon as PostgreSQL is back", async () => {
    const postgres = await startPostgres();
    const database = await connectDatabase({ url: postgres.url, poolMax: 3, applicationName: "outage", logger });
    const ways = [
      () => database.query(selectOne, []),
      () => database.prisma.$queryRaw`SELECT 1 AS one`,
      () => database.transaction((transaction) => transaction.query(selectOne, [])),
      () => database.ping(1_000),
    ];
    try {
      // Three connections are open and idle when the server goes.
      await Promise.all([...ways, ...ways].map((way) => way()));
      const running = failureOf(database.execute(sleep, []));
      await postgres.kill();
      expect(isUnavailable(await running)).toBe(true);
      for (const way of ways) expect(isUnavailable(await failureOf(way()))).toBe(true);

      await postgres.restart();
      for (const way of ways) await waitUntil(() => way().then(() => true), { what: "the pool to recover" });
    } finally {
      await database.close();
      await postgres.stop();
    }
  });

  test("an outage that ends idle connections is logged and ends nothing else", async () => {
    const postgres = await startPostgres();
    const warnings: string[] = [];
    const database = await connectDatabase({
      ...{ url: postgres.url, poolMax: 2, applicationName: "idle" },
      logger: { info: () => {}, warn: (_, message) => warnings.push(message) },
    });
    try {
      await Promise.all([database.query(selectOne, []), database.query(selectOne, [])]);
      await postgres.kill();
      await waitUntil(() => warnings.length === 2, { what: "both connections to be missed" });
      expect(new Set(warnings)).toEqual(new Set(["idle database connection lost"]));
    } finally {
      await database.close();
      await postgres.stop();
    }
  });

  test.each([
    ["nobody listens", "postgresql://postgres@127.0.0.1:1/x"],
    ["the host is unknown", "postgresql://postgres@no-such-host.invalid/x"],
  ])("an outage at the start is reported when %s", async (_, url) => {
    const error = await failureOf(connectDatabase({ url, poolMax: 1, applicationName: "start", logger }));
    expect(isUnavailable(error)).toBe(true);
  });
});

test("a database that does not exist is a mistake, not an outage", async () => {
  const testDatabase = await createTestDatabase();
  const url = new URL(testDatabase.url);
  url.pathname = "/no_such_database";
  const error = await failureOf(connectDatabase({ url: url.toString(), poolMax: 1, applicationName: "start", logger }));
  expect(isUnavailable(error)).toBe(false);
  await testDatabase.drop();
});
