import { z } from "zod";
import { migrate } from "./migrate.js";

// The deployment's migration job: `node dist/migrate-main.js`. One JSON line says how it ended, the exit code whether.

const Environment = z.object({
  DATABASE_URL: z.string("DATABASE_URL is required").min(1, "DATABASE_URL is required"),
  MIGRATIONS_DIR: z.string().min(1).optional(),
});

function report(level: "info" | "error", fields: object, message: string): void {
  const time = new Date().toISOString();
  process.stdout.write(`${JSON.stringify({ level, time, service: "migrate", ...fields, msg: message })}\n`);
}

async function main(): Promise<void> {
  const environment = Environment.safeParse(process.env);
  if (!environment.success) {
    const [issue] = environment.error.issues;
    throw new Error(issue?.message);
  }
  const { DATABASE_URL, MIGRATIONS_DIR } = environment.data;
  const { applied } = await migrate({ databaseUrl: DATABASE_URL, migrationsDir: MIGRATIONS_DIR });
  report("info", { applied }, applied.length === 0 ? "nothing to migrate" : "migrated");
}

try {
  await main();
} catch (error) {
  report("error", {}, error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
