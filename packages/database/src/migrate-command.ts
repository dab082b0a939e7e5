import { loadConfig, optionalTextSetting, urlSetting } from "@parley/service-runtime";
import { z } from "zod";
import { migrate } from "./migrate.js";

const environmentSchema = z.object({
  DATABASE_URL: urlSetting({ purpose: "PostgreSQL 18 or later", schemes: ["postgresql", "postgres"] }),
  MIGRATIONS_DIR: optionalTextSetting({ purpose: "Folder of the migrations" }),
});

/**
 * The deployment's migration job: migrates DATABASE_URL with the migrations of MIGRATIONS_DIR (optional).
 *
 * @param write is called with one JSON line: the outcome
 * @returns the exit code
 */
export async function migrateCommand(
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<0 | 1> {
  const report = (level: "info" | "error", msg: string, fields?: object) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), service: "migrate", ...fields, msg })}\n`);
  try {
    const { DATABASE_URL, MIGRATIONS_DIR } = loadConfig(environmentSchema, environment);
    const { applied } = await migrate({ databaseUrl: DATABASE_URL, migrationsDir: MIGRATIONS_DIR });
    report("info", applied.length === 0 ? "nothing to migrate" : "migrated", { applied });
    return 0;
  } catch (error) {
    report("error", error instanceof Error ? error.message : String(error));
    return 1;
  }
}
