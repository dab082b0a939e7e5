import { setTimeout as pause } from "node:timers/promises";
import type { MinimalLogger } from "@parley/service-runtime";
import pg from "pg";
import { newestMigration } from "./generated/newest-migration.js";
import { migrationLookMs } from "./limits.js";
import { MigrationError } from "./migrate.js";

/** PostgreSQL's code of a table that does not exist. */
const undefinedTable = "42P01";

/** Resolves once the newest migration of this build is applied. */
export async function untilMigrated(options: {
  query: (query: pg.QueryConfig) => Promise<pg.QueryResult>;
  logger: MinimalLogger;
  timeoutMs: number;
}): Promise<void> {
  const { query, logger, timeoutMs } = options;
  const deadline = performance.now() + timeoutMs;
  for (let isFirst = true; !(await isMigrated(query)); isFirst = false) {
    if (performance.now() >= deadline) {
      throw new MigrationError(`The database lacks the migration ${newestMigration}; run the migration job`);
    }
    if (isFirst) logger.warn({ migration: newestMigration }, "waiting for the migration job");
    await pause(migrationLookMs);
  }
}

async function isMigrated(query: (query: pg.QueryConfig) => Promise<pg.QueryResult>): Promise<boolean> {
  try {
    const { rowCount } = await query({
      text: `SELECT FROM _prisma_migrations
              WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`,
      values: [newestMigration],
    });
    return rowCount !== 0;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable) return false;
    throw error;
  }
}
