import type pg from "pg";
import { z } from "zod";
import type { BenchStack } from "./stack.js";

/** The extension that counts what statements take. */
export const statistics = "pg_stat_statements";

/** Lets PostgreSQL count what statements take; no service may be running. */
export async function recordStatements({ pool, servers }: BenchStack): Promise<void> {
  await pool.query(`ALTER SYSTEM SET shared_preload_libraries = ${statistics}`);
  await servers.postgres.restart();
  await pool.query(`CREATE EXTENSION IF NOT EXISTS ${statistics}`);
}

/** Milliseconds that all statements on the stack's database have taken so far. */
export async function databaseMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT coalesce(sum(total_exec_time), 0)::float8 AS ms FROM ${statistics}
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND query NOT LIKE '%${statistics}%'`,
  );
  return z.object({ ms: z.number() }).parse(rows[0]).ms;
}
