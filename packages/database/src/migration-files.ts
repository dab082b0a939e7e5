import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** One folder `<stamp>_<name>` with its migration.sql. */
export interface MigrationFile {
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma computes it */
  checksum: string;
}

/** prisma/migrations of this repository, seen from src/ and dist/ alike. */
export const defaultMigrationsDir = fileURLToPath(new URL("../../../prisma/migrations/", import.meta.url));

/** Every migration of a folder in the order of their names, which start with a time stamp. */
export async function readMigrationFiles(migrationsDir: string): Promise<MigrationFile[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = await readFile(join(migrationsDir, name, "migration.sql"));
      return { name, sql: file.toString("utf8"), checksum: createHash("sha256").update(file).digest("hex") };
    }),
  );
}
