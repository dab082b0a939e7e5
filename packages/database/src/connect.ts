import { type MinimalLogger, within } from "@parley/service-runtime";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { isWriteConflict } from "./errors.js";
import { type Prisma, PrismaClient } from "./generated/client.js";
import {
  connectTimeoutMs,
  migrationWaitMs,
  statementTimeoutDefaultMs,
  transactionAttemptsMax,
  transactionTimeoutMs,
} from "./limits.js";
import { createPool, keepingConnections, runQuery } from "./pool.js";
import type { Queryable } from "./queryable.js";
import { createSessionPool, type SessionPool } from "./session-pool.js";
import { prepared, type RawRow, statementName } from "./statement.js";
import { untilMigrated } from "./until-migrated.js";

/** An interactive transaction; commits when the work resolves, rolls back when it rejects. */
export type Transaction = Queryable;

/** The database of one process. After a restart of PostgreSQL, running calls fail, and later calls reconnect. */
export interface Database extends Queryable {
  readonly prisma: PrismaClient;
  readonly sessions: SessionPool;
  /**
   * Runs work in one transaction, for at most 10 seconds. It holds a connection and costs several round trips, so a hot
   * path uses one statement instead. Nothing that is not a database call belongs inside: after a deadlock PostgreSQL
   * rolls back, and the work runs again from its start.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Resolves when PostgreSQL answers a query in time, rejects otherwise. */
  ping(timeoutMs: number): Promise<void>;
  /**
   * Resolves once the newest migration of this build is applied; a newer one may be as well. What a service does before
   * fails on missing tables and columns, so it waits for this before it takes work.
   *
   * @throws MigrationError when it is still missing after `timeoutMs` (default {@link migrationWaitMs})
   */
  untilMigrated(timeoutMs?: number): Promise<void>;
  /** Waits for the statements under way, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens the pool and checks that PostgreSQL answers.
 *
 * @param options.url a `postgresql://` URL
 * @param options.poolMax most connections at a time; more callers wait
 * @param options.applicationName shown in pg_stat_activity
 * @param options.statementTimeoutMs PostgreSQL ends a statement after this time (default 15 s)
 * @throws whatever the first connection fails with; `isUnavailable` distinguishes an outage from a wrong password
 */
export async function connectDatabase(options: {
  url: string;
  poolMax: number;
  applicationName: string;
  statementTimeoutMs?: number;
  logger: MinimalLogger;
}): Promise<Database> {
  const pool = createPool({ statementTimeoutMs: statementTimeoutDefaultMs, ...options });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(keepingConnections(pool), { statementNameGenerator: ({ sql }) => statementName(sql) ?? "" }),
    errorFormat: "minimal",
    transactionOptions: { maxWait: connectTimeoutMs, timeout: transactionTimeoutMs },
  });
  const database: Database = {
    prisma,
    sessions: createSessionPool(pool, options.poolMax),
    query: async (statement, values) =>
      (await runQuery<RawRow>(pool, prepared(statement, values))).rows.map(statement.parse),
    execute: async (statement, values) => (await runQuery(pool, prepared(statement, values))).rowCount ?? 0,
    transaction: (work) => retryConflicts(() => prisma.$transaction((client) => work(transactionOn(client)))),
    ping: (timeoutMs) => ping(pool, timeoutMs),
    untilMigrated: (timeoutMs = migrationWaitMs) =>
      untilMigrated({ query: (query) => runQuery(pool, query), logger: options.logger, timeoutMs }),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
  try {
    await database.ping(connectTimeoutMs);
    await warmUp(prisma);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Prisma sends the statement on the transaction's connection, under the same prepared name. */
function transactionOn(prisma: Prisma.TransactionClient): Transaction {
  return {
    prisma,
    query: async (statement, values) => {
      const rows = await prisma.$queryRawUnsafe<RawRow[]>(statement.text, ...values);
      return rows.map(statement.parse);
    },
    execute: (statement, values) => prisma.$executeRawUnsafe(statement.text, ...values),
  };
}

async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === transactionAttemptsMax || !isWriteConflict(error)) throw error;
    }
  }
}

/**
 * Prisma loads its query compiler with the first query: a tenth of a second that the first request would have to wait.
 */
async function warmUp(prisma: PrismaClient): Promise<void> {
  await prisma.$transaction((client) => client.user.findFirst({ select: { id: true } })).catch(() => undefined);
}

async function ping(pool: pg.Pool, timeoutMs: number): Promise<void> {
  await within(runQuery(pool, { text: "SELECT 1" }), timeoutMs, () => {
    throw new Error(`PostgreSQL did not answer within ${timeoutMs} ms`);
  });
}
