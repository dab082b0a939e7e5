import { type MinimalLogger, traced } from "@parley/service-runtime";
import pg from "pg";
import { dialingSocket } from "./dial.js";
import { isUnavailable } from "./errors.js";
import { hostsOf } from "./hosts.js";
import { answerGraceMs, connectTimeoutMs, idleConnectionTimeoutMs } from "./limits.js";

/** A lost connection shows as the rejection of the query that uses it. */
export const ignoreError = () => {};

const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  // int8 as bigint, as Prisma reads it; the driver's own default is text.
  oid === pg.types.builtins.INT8 && format !== "binary" ? BigInt : pg.types.getTypeParser(oid, format);

/** The one pool of a process; Prisma and the prepared statements share its connections. */
export function createPool(options: {
  url: string;
  poolMax: number;
  applicationName: string;
  statementTimeoutMs: number;
  logger: MinimalLogger;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: hostsOf(options.url).Client,
    stream: () => dialingSocket(),
    max: options.poolMax,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + answerGraceMs,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleConnectionTimeoutMs,
    keepAlive: true,
    types: { getTypeParser },
    // Prisma's adapter drops the offset of a timestamptz and writes none, so every session has to speak UTC.
    onConnect: (client) => client.query("SET TIME ZONE 'UTC'"),
  });
  // Without a listener the end of an idle connection (a restart of PostgreSQL) would end the process.
  pool.on("error", (error) => options.logger.warn({ err: error }, "idle database connection lost"));
  return pool;
}

/**
 * Runs one query on a free connection. Unlike `pool.query`, which closes the connection after every error, this keeps it
 * unless the connection itself is in doubt: a unique violation must not cost a reconnect.
 */
export function runQuery<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  return tracedQuery(query, () => runOnFreeConnection(pool, query));
}

/** A statement as a span, by its name. */
export function tracedQuery<Result>({ name }: pg.QueryConfig, work: () => Promise<Result>): Promise<Result> {
  return traced(name ?? "statement", postgres, work);
}
const postgres = { "db.system.name": "postgresql" };

async function runOnFreeConnection<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  client.on("error", ignoreError);
  let broken = false;
  try {
    return await client.query<Row>(query);
  } catch (error) {
    broken = isUnavailable(error) || !(error instanceof pg.DatabaseError);
    throw error;
  } finally {
    client.removeListener("error", ignoreError);
    client.release(broken);
  }
}
