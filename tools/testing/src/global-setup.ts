import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { grantServiceRole, migrate } from "@parley/database";
import {
  claimTestPorts,
  findFreePort,
  installMissingPrograms,
  serviceRoleName,
  startPostgresServer,
} from "@parley/local-stack";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { reportAnswers } from "./answer-report.js";
import { createRunFolder } from "./run-folder.js";
import { templateDatabase } from "./test-database.js";
import "./run-context.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** Runs once before all test files: one throw-away PostgreSQL with a migrated template; returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Once for the run: two test files that install at the same time would be in each other's way.
  await installMissingPrograms(["redis-server", "nats-server"]);
  // Only the tests in a browser fail without it: starting the browser then throws the same sentence.
  for (const browser of ["chromium-headless-shell", "chromium", "firefox"] as const) {
    await installMissingPrograms([browser]).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
  const releasePorts = await claimTestPorts();
  const folder = await createRunFolder();
  const postgres = await startPostgresServer({
    dataDir: join(folder, "postgres"),
    port: await findFreePort(),
    password: randomBytes(12).toString("hex"),
    durable: false,
  });
  const teardown = async () => {
    await postgres.stop();
    releasePorts();
    reportAnswers(folder);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await createTemplate(postgres.url, postgres.databaseUrl(templateDatabase));
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("parleyRun", { postgresUrl: postgres.url, folder, root });
  return teardown;
}

async function createTemplate(serverUrl: string, templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${templateDatabase} TEMPLATE template0`);
  } finally {
    await client.end();
  }
  await migrate({ databaseUrl: templateUrl, migrationsDir: join(root, "prisma", "migrations") });
  const role = { name: serviceRoleName, password: new URL(serverUrl).password };
  await grantServiceRole({ databaseUrl: templateUrl, role });
}
