import { databaseUrlSetting, loadConfig, optionalTextSetting } from "@parley/service-runtime";
import { z } from "zod";
import { migrate } from "./migrate.js";
import { grantServiceRole } from "./service-role.js";

const environmentSchema = z.object({
  DATABASE_URL: databaseUrlSetting(),
  MIGRATION_DATABASE_URL: databaseUrlSetting()
    .optional()
    .describe("The same database for the owner of its tables; default DATABASE_URL"),
  MIGRATIONS_DIR: optionalTextSetting({ purpose: "Folder of the migrations" }),
  SERVICE_ROLE: optionalTextSetting({
    purpose: "Role of the services, which may read and write rows and nothing else",
  }),
  SERVICE_PASSWORD: optionalTextSetting({ purpose: "Its password; with it the role is made" }),
});

/**
 * The deployment's migration job: migrates MIGRATION_DATABASE_URL, or else DATABASE_URL, with the migrations of MIGRATIONS_DIR
 * (optional), and gives SERVICE_ROLE (optional) the rights of services.
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
    const config = loadConfig(environmentSchema, environment);
    const { MIGRATIONS_DIR, SERVICE_ROLE, SERVICE_PASSWORD } = config;
    const databaseUrl = config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL;
    const { applied } = await migrate({ databaseUrl, migrationsDir: MIGRATIONS_DIR });
    if (SERVICE_ROLE !== undefined) {
      const role = { name: SERVICE_ROLE, password: SERVICE_PASSWORD };
      await grantServiceRole({ databaseUrl, role });
    }
    report("info", applied.length === 0 ? "nothing to migrate" : "migrated", { applied });
    return 0;
  } catch (error) {
    report("error", error instanceof Error ? error.message : String(error));
    return 1;
  }
}
