import { z } from "zod";
import { migrate } from "./migrate.js";

const Environment = z.object({
  DATABASE_URL: z.string("DATABASE_URL is required").min(1, "DATABASE_URL is required"),
  MIGRATIONS_DIR: z.string().min(1).optional(),
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
  const settings = Environment.safeParse(environment);
  if (!settings.success) {
    report("error", settings.error.issues.map((issue) => issue.message).join("; "));
    return 1;
  }
  const { DATABASE_URL, MIGRATIONS_DIR } = settings.data;
  try {
    const { applied } = await migrate({ databaseUrl: DATABASE_URL, migrationsDir: MIGRATIONS_DIR });
    report("info", applied.length === 0 ? "nothing to migrate" : "migrated", { applied });
    return 0;
  } catch (error) {
    report("error", error instanceof Error ? error.message : String(error));
    return 1;
  }
}
