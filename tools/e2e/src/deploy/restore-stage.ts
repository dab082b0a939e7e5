import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runContext } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type DebianPostgres, findDebianPostgres, startDebianPostgres } from "./debian-postgres.js";
import { ended, startOperation } from "./operation.js";

/** An installation without an engine, whose PostgreSQL is real, and a backup of it. */
const programs = await findDebianPostgres();
/** The services that run. */
export const everything = "api automod discord edge edge-port gateway nats postgres redis webhook-dispatcher".split(
  " ",
);
const history = `CREATE TABLE _prisma_migrations (id text, checksum text, finished_at timestamptz, migration_name text, logs text);
  CREATE TABLE users (id int PRIMARY KEY, name text)`;
export const first = "20260101000000_first";
const second = "20260102000000_second";

let postgres: DebianPostgres;
/** The stand-in's folder, anew for each test. */
export let folder: string;
/** The folder of the backup. */
export let backup: string;

/** For the tests of a file. */
export function setRestoreStage(): void {
  beforeAll(async () => {
    postgres = await startDebianPostgres(programs);
    await postgres.run("createdb", "parley");
  });
  afterAll(() => postgres.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(runContext().folder, "restore-"));
    await mkdir(join(folder, "programs"));
    await symlink(join(import.meta.dirname, "docker-stand-in.sh"), join(folder, "programs", "docker"));
    for (const name of [first, second]) await mkdir(join(folder, "migrations", name), { recursive: true });
    await mkdir(join(folder, "running"));
    for (const name of everything) await writeFile(join(folder, "running", name), "");
    await writeFile(join(folder, "env"), "");
    backup = await makeBackup([first], "kept");
    await fill([first], "present");
  });
}

/** Interrupts a restore at the first call of docker that matches, and restores again. */
export async function expectToSurviveInterrupt(moment: string, name: string): Promise<void> {
  const { code, output } = await restore({ INTERRUPT_AT: moment });
  expect([code, output]).toEqual([expect.any(Number), expect.stringContaining("the same command begins again")]);
  expect(code).not.toBe(0);
  expect(output).not.toContain("done");
  expect(await state()).toEqual({ name, running: everything });
  expect((await calls()).includes("volume rm")).toBe(name === "kept");
  expect((await restore()).output).toContain("parley: done");
  expect(await state()).toEqual({ name: "kept", running: everything });
}

/** The user of the database, and the services that run. */
export async function state(): Promise<{ name: string; running: string[] }> {
  const name = await postgres.run("psql", "-tAc", "SELECT name FROM users LIMIT 1", "parley");
  return { name: name.toString().trim(), running: (await readdir(join(folder, "running"))).toSorted() };
}

export const calls = () => readFile(join(folder, "calls"), "utf8");

/** Fills the database with these migrations, and many users of this name. */
export async function fill(migrations: readonly string[], name: string): Promise<void> {
  const rows = migrations.map(
    (migration) => `INSERT INTO _prisma_migrations VALUES ('1', 'x', now(), '${migration}');`,
  );
  const users = `INSERT INTO users SELECT n, '${name}' FROM generate_series(1, 5000) n`;
  const tables = migrations.length === 0 ? "CREATE TABLE users (id int, name text)" : history;
  await postgres.run(
    "psql",
    "-qc",
    `SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${tables}; ${rows.join("")} ${users}`,
    "parley",
  );
}

async function makeBackup(migrations: readonly string[], name: string): Promise<string> {
  await fill(migrations, name);
  const made = join(folder, "backup");
  await mkdir(made, { recursive: true });
  await writeFile(join(made, "database.dump"), await postgres.run("pg_dump", "--format", "custom", "parley"));
  await writeFile(join(made, "uploads.tar"), "kept\n");
  await writeFile(join(made, "image"), "parley/api:0.1.0\n");
  await sum(made);
  return made;
}

export async function replaceBackup(migrations: readonly string[], name: string): Promise<void> {
  await makeBackup(migrations, name);
  await fill([first], "present");
}

/** As deploy/operations/backup.sh does. */
function sum(made: string): Promise<unknown> {
  return ended(spawn("sh", ["-c", "sha256sum database.dump uploads.tar > SHA256SUMS"], { cwd: made }));
}

export const rmSums = () => rm(join(backup, "SHA256SUMS"));

export async function cut(file: string, share: number): Promise<void> {
  const content = await readFile(join(backup, file));
  await truncate(join(backup, file), Math.floor(content.length * share));
  // As a backup that was cut while it was made, or is of a version before the sums.
  await rmSums();
  await writeFile(join(backup, "uploads.tar"), Buffer.alloc(1024));
}

export async function breakBytes(file: string): Promise<void> {
  const content = await readFile(join(backup, file));
  content.fill(255, Math.floor(content.length / 2));
  await writeFile(join(backup, file), content);
  await sum(backup);
}

export async function restore(more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  await rm(join(folder, "calls"), { force: true });
  return ended(start("restore", [backup, "--yes"], more));
}

/** Starts an operation of deploy/parley. */
export function start(operation: string, args: readonly string[], more: Record<string, string> = {}): ChildProcess {
  return startOperation(operation, args, { folder, programs, env: { ...postgres.env, ...more } });
}
