import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DebianPostgres, findDebianPostgres, startDebianPostgres } from "./debian-postgres.js";

// deploy/parley restore with a real PostgreSQL and without an engine; on an engine: ../containers/restore.test.ts.

const programs = await findDebianPostgres();
const { root } = runContext();
const everything = "api automod edge edge-port gateway nats postgres redis webhook-dispatcher".split(" ");
const history = `CREATE TABLE _prisma_migrations (id text, checksum text, finished_at timestamptz, migration_name text, logs text);
  CREATE TABLE users (id int PRIMARY KEY, name text)`;
const first = "20260101000000_first";
const second = "20260102000000_second";

let postgres: DebianPostgres;
let folder: string;
let backup: string;

describe.skipIf(programs === null)("restore", () => {
  beforeAll(async () => {
    postgres = await startDebianPostgres(programs ?? "");
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

  test("replaces what is there by the backup, and removes the events", async () => {
    const { code, output } = await restore();
    expect([code, output]).toEqual([0, expect.stringContaining("parley: done, running: api 0.2.0 x1")]);
    expect(await state()).toEqual({ name: "kept", running: everything });
    expect(await calls()).toContain("volume rm --force stand-in_nats");
    expect(await readFile(join(folder, "uploads"), "utf8")).toBe("kept\n");
  });

  test.each([
    ["is missing", () => rm(join(backup, "database.dump"))],
    ["is broken or cut", () => cut("database.dump", 0.5)],
    ["is broken or cut", () => cut("database.dump", 0.999)],
    ["is broken or cut", () => breakBytes("database.dump")],
    ["is broken or cut", () => rmSums().then(() => writeFile(join(backup, "database.dump"), "no dump"))],
    ["is broken or cut", () => rmSums().then(() => writeFile(join(backup, "uploads.tar"), "no archive".repeat(99)))],
    ["is not what was written into it", () => writeFile(join(backup, "uploads.tar"), "another")],
    ["is no backup of Parley", () => replaceBackup([], "of something else")],
    ["is no backup of Parley", () => replaceBackup(["20990101000000_foreign"], "of something else")],
    ["is of a newer version (parley/api:0.1.0), whose", () => replaceBackup([first, "20990101000000_x"], "newer")],
  ])("a backup that %s is refused before anything is stopped", async (sentence, spoil) => {
    await spoil();
    const { code, output } = await restore();
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(output).not.toContain("done");
    expect(await state()).toEqual({ name: "present", running: everything });
    expect(await calls()).not.toContain("stop");
  });

  test("a backup that the disk has no room for is refused", async () => {
    const columns = "Filesystem 1M-blocks Used Available Capacity Mounted";
    await writeFile(join(folder, "programs", "df"), `#!/bin/sh\necho ${columns}\necho /dev/x 9 9 0 99% /\n`, {
      mode: 0o755,
    });
    const { code, output } = await restore();
    expect([code, output]).toEqual([1, expect.stringContaining("the disk has 0 MB left; the backup needs")]);
    expect(await state()).toEqual({ name: "present", running: everything });
  });

  test("a version that was rolled back to restores what its newer database left", async () => {
    await replaceBackup([first, "20990101000000_x"], "newer");
    await fill([first, "20990101000000_x"], "present");
    expect((await restore()).code).toBe(0);
    expect((await state()).name).toBe("newer");
  });

  test.each(["pg_restore --no-privileges", "compose run .* tar", "compose rm"])(
    "a failure of '%s' is said, and everything runs",
    async (call) => {
      const { code, output } = await restore({ FAIL_AT: call });
      expect(code).toBe(1);
      expect(output).not.toContain("done");
      expect((await state()).running).toEqual(everything);
    },
  );

  test.each([
    ["compose stop", "present"],
    ["compose run .* tar", "present"],
    ["pg_restore --no-privileges", "present"],
    ["volume rm", "kept"],
    ["compose up --detach --no-recreate --wait$", "kept"],
    ["ps .*service=edge ", "kept"],
  ])("Ctrl-C at '%s' leaves everything running, and the same command begins again", async (moment, name) => {
    const { code, output } = await restore({ INTERRUPT_AT: moment });
    expect([code, output]).toEqual([expect.any(Number), expect.stringContaining("the same command begins again")]);
    expect(code).not.toBe(0);
    expect(output).not.toContain("done");
    expect(await state()).toEqual({ name, running: everything });
    expect((await calls()).includes("volume rm")).toBe(name === "kept");
    expect((await restore()).output).toContain("parley: done");
    expect(await state()).toEqual({ name: "kept", running: everything });
  });

  test("another operation is refused while one runs, and one that was killed is in nobody's way", async () => {
    const first = start("restore", [backup, "--yes"], { HOLD_AT: "compose stop" });
    const held = join(folder, "held");
    await waitUntil(() => existsSync(held));
    const second = await ended(start("backup", [join(folder, "other")]));
    expect([second.code, second.output]).toEqual([
      1,
      expect.stringMatching(/^parley: another operation runs, restore .+ by \w+ since [\d:]+Z; nothing was done$/m),
    ]);
    first.kill("SIGKILL");
    await rm(held);
    await ended(first);
    const third = await ended(start("restore", [backup, "--yes"]));
    expect([third.code, third.output]).toEqual([0, expect.stringContaining("the last operation ended without a word")]);
    const log = (await readFile(join(folder, "operations.log"), "utf8")).trimEnd().split("\n");
    expect(log.map((line) => line.replace(/^\S+Z \w+ /, "").replaceAll(folder, "."))).toEqual([
      "restore ./backup",
      "restore ./backup",
      "restore ./backup ended with 0",
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith(".parley"))).toEqual([]);
  });

  test("a backup that fails leaves nothing, and --keep removes what is older than the backups that it keeps", async () => {
    const backups = join(folder, "backups");
    const [cutOne, before] = ["20260101T000000Z.database.part", "20260102T000000Z-before-0.2.0"];
    for (const name of ["20260101T000000Z", cutOne, before, "20260103T000000Z", "20260104T000000Z.database"]) {
      await mkdir(join(backups, name), { recursive: true });
    }
    const failed = await ended(start("backup", ["--backups", backups], { FAIL_AT: "pg_dump" }));
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("the database could not be backed up")]);
    expect((await readdir(backups)).filter((name) => !/^2026010[1-4]/.test(name))).toEqual([]);
    const kept = await ended(start("backup", ["--backups", backups, "--keep", "2"]));
    expect([kept.code, kept.output]).toEqual([0, expect.stringContaining(`removed ${backups}/${before}`)]);
    const [old, unfinished, ...made] = (await readdir(backups)).toSorted();
    expect([old, unfinished]).toEqual(["20260103T000000Z", "20260104T000000Z.database"]);
    expect(made).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z$/)]);
  });
});

/** The user of the database, and the services that run. */
async function state(): Promise<{ name: string; running: string[] }> {
  const name = await postgres.run("psql", "-tAc", "SELECT name FROM users LIMIT 1", "parley");
  return { name: name.toString().trim(), running: (await readdir(join(folder, "running"))).toSorted() };
}

const calls = () => readFile(join(folder, "calls"), "utf8");

/** Has in the database these migrations, and many users of this name. */
async function fill(migrations: readonly string[], name: string): Promise<void> {
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

async function replaceBackup(migrations: readonly string[], name: string): Promise<void> {
  await makeBackup(migrations, name);
  await fill([first], "present");
}

/** As deploy/operations/backup.sh does. */
function sum(made: string): Promise<unknown> {
  return ended(spawn("sh", ["-c", "sha256sum database.dump uploads.tar > SHA256SUMS"], { cwd: made }));
}

const rmSums = () => rm(join(backup, "SHA256SUMS"));

async function cut(file: string, share: number): Promise<void> {
  const content = await readFile(join(backup, file));
  await truncate(join(backup, file), Math.floor(content.length * share));
  // As a backup that was cut while it was made, or is of a version before the sums.
  await rmSums();
  await writeFile(join(backup, "uploads.tar"), Buffer.alloc(1024));
}

async function breakBytes(file: string): Promise<void> {
  const content = await readFile(join(backup, file));
  content.fill(255, Math.floor(content.length / 2));
  await writeFile(join(backup, file), content);
  await sum(backup);
}

async function restore(more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  await rm(join(folder, "calls"), { force: true });
  return ended(start("restore", [backup, "--yes"], more));
}

/** Starts an operation of deploy/parley. */
function start(operation: string, args: readonly string[], more: Record<string, string> = {}): ChildProcess {
  const path = [join(folder, "programs"), programs, process.env.PATH].join(delimiter);
  const env = {
    ...process.env,
    ...postgres.env,
    PATH: path,
    STAND_IN: folder,
    COMPOSE_ENV_FILES: join(folder, "env"),
    TEXTFILES: folder,
  };
  // Its own process group, which Ctrl-C means.
  return spawn(join(root, "deploy", "parley"), [operation, ...args], {
    env: { ...env, ...more },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function ended(child: ChildProcess): Promise<{ code: number; output: string }> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? -1)));
  return { code, output };
}
