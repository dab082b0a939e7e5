import { Redis } from "ioredis";
import type pg from "pg";
import { z } from "zod";
import type { BenchStack } from "./stack.js";

/** The extension that counts the time of statements. */
export const statistics = "pg_stat_statements";

/** Lets PostgreSQL count the time of statements; no service may be running. */
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

/** How many statements and Redis commands the services have sent so far. */
export async function roundTrips({ pool, servers }: Pick<BenchStack, "pool" | "servers">) {
  // Every statement of ours outside an interactive transaction commits by itself.
  const client = await pool.connect();
  await client.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await client.query("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
  client.release();
  const redis = new Redis(servers.redis.url);
  const info = await redis.info("stats");
  redis.disconnect();
  return {
    statements: z.object({ xact_commit: z.coerce.number() }).parse(rows[0]).xact_commit,
    redisCommands: Number(/total_commands_processed:(\d+)/.exec(info)?.[1]),
  };
}
