import { randomUUID } from "node:crypto";
import type { MinimalLogger } from "@parley/service-runtime";
import pg from "pg";
import { z } from "zod";
import { hostsOf } from "./hosts.js";
import { migrationLockTimeoutMs } from "./limits.js";
import { defaultMigrationsDir, type MigrationFile, readMigrationFiles } from "./migration-files.js";

/** A migration that cannot be applied; the message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** The key of Prisma's own migration lock, so that `prisma migrate` and this runner wait for each other as well. */
const migrationLockKey = 72707369;

/** As `prisma migrate deploy` creates it. */
const createHistory = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36)  PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64)  NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ  NOT NULL DEFAULT now(),
  applied_steps_count INTEGER      NOT NULL DEFAULT 0
)`;

const HistoryRow = z.object({ migration_name: z.string(), checksum: z.string(), finished: z.boolean() });
type HistoryRow = z.infer<typeof HistoryRow>;

/**
 * Applies the migrations that the database has not seen, in the order of their names, each in one transaction, and records
 * them as `prisma migrate deploy` does. Any number of runners may start at once: one works, the others wait for it and then
 * find nothing to do. A migration that fails leaves neither a change nor a record behind.
 *
 * @param options.migrationsDir default: prisma/migrations of this repository
 * @returns the names of the migrations applied by this call
 * @throws MigrationError when a migration fails, was changed after it was applied, or is recorded as failed
 */
export async function migrate(options: {
  databaseUrl: string;
  migrationsDir?: string;
  logger?: MinimalLogger;
}): Promise<{ applied: string[] }> {
  const files = await readMigrationFiles(options.migrationsDir ?? defaultMigrationsDir);
  const { Client } = hostsOf(options.databaseUrl);
  const client = new Client({ connectionString: options.databaseUrl, application_name: "migrate" });
  // A connection lost between two queries rejects the next one; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`SET lock_timeout = ${migrationLockTimeoutMs}`);
    await client.query("SELECT pg_advisory_lock($1)", [migrationLockKey]);
    await client.query("SET lock_timeout = 0");
    await client.query(createHistory);
    const applied: string[] = [];
    for (const file of pendingFiles(files, await readHistory(client))) {
      await applyFile(client, file);
      applied.push(file.name);
      options.logger?.info({ migration: file.name }, "migration applied");
    }
    return { applied };
  } finally {
    await client.end();
  }
}

async function readHistory(client: pg.Client): Promise<HistoryRow[]> {
  const { rows } = await client.query(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return z.array(HistoryRow).parse(rows);
}

/** The files that the history lacks, provided that the history is sound. */
function pendingFiles(files: readonly MigrationFile[], history: readonly HistoryRow[]): MigrationFile[] {
  for (const row of history) {
    if (!row.finished) {
      throw new MigrationError(
        `Migration ${row.migration_name} is recorded as failed; repair the database and mark it with \`prisma migrate resolve\``,
      );
    }
    const file = files.find((candidate) => candidate.name === row.migration_name);
    if (file !== undefined && file.checksum !== row.checksum) {
      throw new MigrationError(`Migration ${row.migration_name} was changed after it was applied; restore its file`);
    }
  }
  const seen = new Set(history.map((row) => row.migration_name));
  return files.filter((file) => !seen.has(file.name));
}

async function applyFile(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(file.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, transaction_timestamp(), clock_timestamp(), 1)`,
      [randomUUID(), file.checksum, file.name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {
      // The connection is gone, and with it the transaction.
    });
    throw new MigrationError(`Migration ${file.name} failed${failingLine(file.sql, error)}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** PostgreSQL counts characters; people look for lines. */
function failingLine(sql: string, error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return "";
  const before = [...sql].slice(0, Number(error.position)).join("");
  return ` at line ${before.split("\n").length}`;
}
