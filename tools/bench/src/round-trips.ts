import { Redis } from "ioredis";
import { z } from "zod";
import type { BenchStack } from "./stack.js";

/** How many statements and Redis commands the services have sent so far. */
export async function roundTrips({ pool, servers }: BenchStack) {
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
