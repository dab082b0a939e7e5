import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { checked, type Database as DatabaseOf, type DatabaseOptions, databaseOn, openPool } from "./connect.js";
import { type Prisma, PrismaClient } from "./generated/client.js";
import { connectTimeoutMs, transactionTimeoutMs } from "./limits.js";
import { runQuery } from "./pool.js";
import type { Queryable as StatementQueryable } from "./queryable.js";
import { type RawRow, statementName } from "./statement.js";

/** Where statements run, and Prisma's model methods: the pool (each by itself) or a transaction. */
export interface Queryable extends StatementQueryable {
  /** The way to the database except where a measurement forbids it. */
  readonly prisma: Prisma.TransactionClient;
}

/** An interactive transaction with Prisma's model methods. */
export type Transaction = Queryable;

/** The database of a process that uses Prisma, whose query compiler takes its memory and start-up time. */
export interface Database extends DatabaseOf<Transaction> {
  readonly prisma: PrismaClient;
}

/**
 * Opens the pool, which Prisma and the prepared statements share, and checks that PostgreSQL answers.
 *
 * @throws the error of the first connection; `isUnavailable` distinguishes an outage from a wrong password
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = openPool(options);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(keepingConnections(pool), { statementNameGenerator: ({ sql }) => statementName(sql) ?? "" }),
    errorFormat: "minimal",
    transactionOptions: { maxWait: connectTimeoutMs, timeout: transactionTimeoutMs },
  });
  const database = databaseOn<Transaction>(pool, {
    ...options,
    transact: (work) => prisma.$transaction((client) => work(transactionOn(client))),
    end: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  });
  await checked(database);
  await warmUp(prisma);
  return { ...database, prisma };
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

/**
 * Prisma loads its query compiler with the first query: a tenth of a second that the first request would have to wait.
 */
async function warmUp(prisma: PrismaClient): Promise<void> {
  await prisma.$transaction((client) => client.user.findFirst({ select: { id: true } })).catch(() => undefined);
}

/** The same pool for Prisma's adapter, whose single queries then keep their connection too. */
function keepingConnections(pool: pg.Pool): pg.Pool {
  const query = (config: pg.QueryConfig) => runQuery(pool, config);
  return new Proxy(pool, {
    get: (target, property) => (property === "query" ? query : Reflect.get(target, property, target)),
  });
}
