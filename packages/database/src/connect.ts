import { setTimeout as pause } from "node:timers/promises";
import { type MinimalLogger, within } from "@parley/service-runtime";
import type pg from "pg";
import { isUnaccepted } from "./dial.js";
import { isWriteConflict } from "./errors.js";
import {
  conflictPauseMsMax,
  connectTimeoutMs,
  migrationWaitMs,
  statementTimeoutDefaultMs,
  transactionAttemptsMax,
  transactionTimeoutMs,
} from "./limits.js";
import { createPool, runQuery } from "./pool.js";
import type { Queryable } from "./queryable.js";
import { createSessionPool, runOn, type SessionPool } from "./session-pool.js";
import { prepared, type RawRow, type SqlValue, type Statement } from "./statement.js";
import { untilMigrated } from "./until-migrated.js";

/** An interactive transaction; commits when the work resolves, rolls back when it rejects. */
export type Transaction = Queryable;

/** The database of one process. After a restart of PostgreSQL, running calls fail, and later calls reconnect. */
export interface Database<OfTransaction extends Transaction = Transaction> extends Queryable {
  readonly sessions: SessionPool;
  /** Connections that are open, those of them that nobody uses, and the callers that wait for one. */
  pool(): { open: number; idle: number; waiting: number };
  /**
   * Runs work in one transaction, for at most 10 seconds. It holds a connection and costs several round trips, so a hot
   * path uses one statement instead. Nothing that is not a database call belongs inside: after a deadlock PostgreSQL
   * rolls back, and the work runs again from its start.
   */
  transaction<Result>(work: (transaction: OfTransaction) => Promise<Result>): Promise<Result>;
  /** Resolves when PostgreSQL answers a query in time, rejects otherwise. */
  ping(timeoutMs: number): Promise<void>;
  /**
   * Resolves once the newest migration of this build is applied; a newer one may be as well. Statements before that
   * fail on missing tables and columns, so a service waits for this before it takes work.
   *
   * @throws MigrationError when it is still missing after `timeoutMs` (default {@link migrationWaitMs})
   */
  untilMigrated(timeoutMs?: number): Promise<void>;
  /** Waits for the statements under way, then closes every connection. */
  close(): Promise<void>;
}

/** Options of a process's connections. */
export interface DatabaseOptions {
  /** A `postgresql://` URL, with one host, or with several and one of them writable (hosts.ts). */
  url: string;
  /** Most connections at a time; more callers wait. */
  poolMax: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** PostgreSQL ends a statement after this time (default 15 s). */
  statementTimeoutMs?: number;
  logger: MinimalLogger;
}

/**
 * Opens the pool and checks that PostgreSQL answers.
 *
 * @throws the error of the first connection; `isUnavailable` distinguishes an outage from a wrong password
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = openPool(options);
  return checked(databaseOn(pool, { ...options, transact: (work) => transactOn(pool, work), end: () => pool.end() }));
}

/** The pool of a process. */
export const openPool = (options: DatabaseOptions): pg.Pool =>
  createPool({ statementTimeoutMs: statementTimeoutDefaultMs, ...options });

/**
 * The database on a pool.
 *
 * @param options.transact runs work in a transaction, once
 * @param options.end closes everything
 */
export function databaseOn<OfTransaction extends Transaction>(
  pool: pg.Pool,
  options: {
    poolMax: number;
    logger: MinimalLogger;
    transact: <Result>(work: (transaction: OfTransaction) => Promise<Result>) => Promise<Result>;
    end: () => Promise<void>;
  },
): Database<OfTransaction> {
  /** A statement is a transaction of its own, which a deadlock rolls back as well. */
  const run = (statement: Statement<unknown>, values: readonly SqlValue[]) =>
    retryConflicts(() => runQuery<RawRow>(pool, prepared(statement, values)));
  return {
    sessions: createSessionPool(pool, options.poolMax),
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    query: async (statement, values) => (await run(statement, values)).rows.map(statement.parse),
    execute: async (statement, values) => (await run(statement, values)).rowCount ?? 0,
    transaction: (work) => retryConflicts(() => options.transact(work)),
    ping: (timeoutMs) => ping(pool, timeoutMs),
    untilMigrated: (timeoutMs = migrationWaitMs) =>
      untilMigrated({ query: (query) => runQuery(pool, query), logger: options.logger, timeoutMs }),
    close: options.end,
  };
}

/** The database once it has answered; closed when it does not. A connection that nobody accepts is tried again meanwhile. */
export async function checked<Opened extends Pick<Database, "ping" | "close">>(database: Opened): Promise<Opened> {
  const deadline = performance.now() + connectTimeoutMs;
  for (;;) {
    try {
      await database.ping(Math.max(deadline - performance.now(), 1));
      return database;
    } catch (error) {
      if (isUnaccepted(error) && performance.now() < deadline) continue;
      await database.close();
      throw error;
    }
  }
}

const begin = `BEGIN; SET LOCAL transaction_timeout = ${transactionTimeoutMs}`;

/** Runs work between BEGIN and COMMIT. A connection that cannot roll back is closed, which does. */
async function transactOn<Result>(pool: pg.Pool, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const outcome = await runOn(await pool.connect(), async (session, client) => {
    await client.query(begin);
    try {
      const result = await work(session);
      await client.query("COMMIT");
      return { result };
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {
        throw error;
      });
      return { error };
    }
  });
  if ("error" in outcome) throw outcome.error;
  return outcome.result;
}

async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === transactionAttemptsMax || !isWriteConflict(error)) throw error;
      // Without the pause it could take again the lock that the other transaction is being woken for.
      await pause(Math.random() * conflictPauseMsMax);
    }
  }
}

async function ping(pool: pg.Pool, timeoutMs: number): Promise<void> {
  await within(runQuery(pool, { text: "SELECT 1" }), timeoutMs, () => {
    throw new Error(`PostgreSQL did not answer within ${timeoutMs} ms`);
  });
}
