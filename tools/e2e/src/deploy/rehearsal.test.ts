import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runContext } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DebianPostgres, findDebianPostgres, startDebianPostgres } from "./debian-postgres.js";

// deploy/parley upgrade --rehearse with a real PostgreSQL and without an engine; on an engine: ../containers/release.test.ts.

const programs = await findDebianPostgres();
const { root } = runContext();
const everything = "api automod discord edge edge-port gateway nats postgres redis webhook-dispatcher".split(" ");
const tables = `CREATE TABLE _prisma_migrations (id text, migration_name text, logs text); CREATE TABLE bots (user_id int);
  CREATE TABLE users (id int PRIMARY KEY, name text, session_version int DEFAULT 3, disabled_at timestamptz);
  CREATE TABLE messages (id int, channel_id int, server_id int, author_id int, listed boolean DEFAULT true)`;
const first = "20260101000000_first";
const second = "20260102000000_second";
const addsSecond = `INSERT INTO _prisma_migrations VALUES ('2', '${second}', '')`;

let postgres: DebianPostgres;
let folder: string;

describe("upgrade --rehearse", () => {
  beforeAll(async () => {
    postgres = await startDebianPostgres(programs);
    for (const name of ["parley", "rehearsal"]) await postgres.run("createdb", name);
    await fill("kept");
  });
  afterAll(() => postgres.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(runContext().folder, "rehearsal-"));
    await mkdir(join(folder, "programs"));
    await symlink(join(import.meta.dirname, "docker-stand-in.sh"), join(folder, "programs", "docker"));
    for (const name of [first, second]) await mkdir(join(folder, "migrations", name), { recursive: true });
    await mkdir(join(folder, "running"));
    for (const name of everything) await writeFile(join(folder, "running", name), "");
    await writeFile(join(folder, "env"), "");
    await fill("kept");
    for (const name of ["20260101T000000Z", "20260102T000000Z-before-0.1.0"]) {
      await mkdir(join(folder, "backups", name), { recursive: true });
      const dump = await postgres.run("pg_dump", "--format", "custom", "parley");
      await writeFile(join(folder, "backups", name, "database.dump"), dump);
      await fill("present");
    }
    await mkdir(join(folder, "backups", "20260103T000000Z.database.part"));
  });

  test("says what the last backup becomes and how long it takes, and leaves nothing", async () => {
    const { code, output } = await rehearse();
    expect([code, output]).toEqual([0, expect.stringMatching(/^parley: migrations: 20260102000000_second in \d+ s$/m)]);
    expect(output).toMatch(/^parley: restored \S+20260102T000000Z-before-0\.1\.0 in \d+ s$/m);
    expect(output).toContain("parley: requests: answered");
    expect(output).toMatch(/^parley: done: the upgrade to 0\.2\.0 would take about \d+ s, 30 of them for connections/m);
    expect((await readFile(join(folder, "requests"), "utf8")).split("\n").slice(0, 2)).toEqual([
      '{"user" : 5000, "session" : 3, "channel" : 1, "server" : 2}',
      '{"method":"GET","path":"/servers","status":200,"seconds":0.01}',
    ]);
    await expectUntouched();
    const log = await readFile(join(folder, "operations.log"), "utf8");
    expect(log).toMatch(/ upgrade 0\.2\.0 --rehearse\n.* upgrade 0\.2\.0 --rehearse ended with 0\n$/);
  });

  test("without a backup it says so and starts nothing", async () => {
    await rm(join(folder, "backups"), { recursive: true });
    const { code, output } = await rehearse();
    expect([code, output]).toEqual([1, expect.stringContaining("has no backup: deploy/parley backup makes one")]);
    expect(await readFile(join(folder, "calls"), "utf8")).not.toContain("compose up");
  });

  test("of two PostgreSQL it asks for the one that takes writes", async () => {
    await mkdir(join(folder, "ports"));
    const other = join(folder, "running", "postgres-2");
    await writeFile(other, "");
    const { code, output } = await rehearse({ REHEARSED_PRIMARY: "postgres-2" });
    expect([code, output]).toEqual([0, expect.stringMatching(/^parley: done: the upgrade to 0\.2\.0 would/m)]);
    const none = await rehearse({ REHEARSED_PRIMARY: "neither" });
    expect([none.code, none.output]).toEqual([1, expect.stringContaining("no PostgreSQL takes writes")]);
    await rm(other);
    await expectUntouched();
  });

  test("a migration that removes rows fails the rehearsal", async () => {
    const { code, output } = await rehearse({ MIGRATE: `${addsSecond}; DELETE FROM users WHERE id > 10` });
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("the number of users and messages, 5000|5000 to 10|5000"),
    ]);
    await expectUntouched();
  });

  test.each([
    ["pg_restore --no-privileges", "the database could not be restored"],
    ["compose run .* migrate$", "the migration failed"],
    ["compose up .* edge$", "edge 0.2.0 does not become healthy"],
    ["compose exec -T api", "0.2.0 does not serve as it should"],
  ])("a failure of '%s' is said, and leaves nothing", async (call, sentence) => {
    const { code, output } = await rehearse({ FAIL_AT: call });
    expect([code, output]).toEqual([1, expect.stringContaining(`parley: the rehearsal ended: ${sentence}`)]);
    expect(output).not.toContain("done");
    await expectUntouched();
  });

  test.each(["pg_restore --no-privileges", "compose up .* edge$"])("Ctrl-C at '%s' leaves nothing", async (moment) => {
    const { code, output } = await rehearse({ INTERRUPT_AT: moment });
    expect(code).not.toBe(0);
    expect(output).toContain("the installation is as it was");
    await expectUntouched();
  });
});

/** Nothing of the rehearsal is there, and all of the installation. */
async function expectUntouched(): Promise<void> {
  expect(existsSync(join(folder, "rehearsal"))).toBe(false);
  expect((await readdir(join(folder, "running"))).toSorted()).toEqual(everything);
  const sql = "SELECT string_agg(DISTINCT name, ''), (SELECT count(*) FROM _prisma_migrations) FROM users";
  expect((await postgres.run("psql", "-tAc", sql, "parley")).toString().trim()).toBe("present|1");
  expect((await readdir(folder)).filter((name) => name.startsWith(".parley"))).toEqual([]);
}

/** Fills the database with one migration, and many users of this name, each with a message. */
async function fill(name: string): Promise<void> {
  const sql = `SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${tables};
    INSERT INTO _prisma_migrations VALUES ('1', '${first}', ''); INSERT INTO users SELECT n, '${name}' FROM generate_series(1, 5000) n;
    INSERT INTO messages SELECT n, 1, 2, n FROM generate_series(1, 5000) n`;
  await postgres.run("psql", "-qc", sql, "parley");
}

async function rehearse(more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    ...postgres.env,
    PATH: [join(folder, "programs"), programs, process.env.PATH].join(delimiter),
    STAND_IN: folder,
    COMPOSE_ENV_FILES: join(folder, "env"),
    MIGRATE: addsSecond,
  };
  const args = ["upgrade", "0.2.0", "--rehearse", "--backups", join(folder, "backups")];
  // Its own process group, which Ctrl-C means.
  const child = spawn(join(root, "deploy", "parley"), args, {
    env: { ...env, ...more },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? -1)));
  return { code, output };
}
