import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findDebianPostgres, idOf } from "./debian-postgres.js";
import { ended, startOperation } from "./operation.js";

// deploy/parley promote and rejoin, and the operations after a failover, with two real PostgreSQL that deploy/ha/postgres.sh starts.

const run = promisify(execFile);
const programs = await findDebianPostgres();
const { root } = runContext();

describe("a failover of PostgreSQL", () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(runContext().folder, "failover-"));
    for (const name of ["programs", "running", "servers", "ports", "migrations"]) await mkdir(join(folder, name));
    for (const name of "api automod discord edge edge-port gateway nats nats-2 nats-3 redis webhook-dispatcher".split(
      " ",
    )) {
      await writeFile(join(folder, "running", name), "");
    }
    const link = (file: string, name: string) => symlink(join(import.meta.dirname, file), join(folder, name));
    await link("docker-stand-in.sh", join("programs", "docker"));
    await link("postgres-entrypoint.sh", join("programs", "docker-entrypoint.sh"));
    await link("postgres-pair.sh", "server");
    await writeFile(join(folder, "env"), "");
    for (const name of ["postgres", "postgres-2"]) {
      await writeFile(join(folder, "ports", name), String(await findFreePort()));
    }
    if (process.getuid?.() === 0) await chown(join(folder, "servers"), await idOf("-u"), await idOf("-g"));
    // The account of PostgreSQL reads its own folder and the programs.
    await chmod(folder, 0o755);
    env = {
      PATH: [join(folder, "programs"), programs, process.env.PATH].join(delimiter),
      PGHOST: "127.0.0.1",
      PGUSER: "parley",
      STAND_IN: folder,
      POSTGRES_SH: join(root, "deploy", "ha", "postgres.sh"),
    };
    for (const name of ["postgres", "postgres-2"]) await docker("compose", "up", "--detach", name);
  });
  afterAll(async () => {
    for (const name of ["postgres", "postgres-2"]) await docker("compose", "stop", name).catch(() => undefined);
  });

  const docker = (...args: string[]) => run(join(folder, "programs", "docker"), args, { env });
  const operate = (operation: string, ...args: string[]) =>
    ended(startOperation(operation, args, { folder, programs, env }));
  const sql = async (server: string, text: string) =>
    (await docker("compose", "exec", "-T", server, "psql", "-tAc", text, "parley")).stdout.trim();
  const calls = async () => (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
  const saved = async (name: string) => (await operate("backup", join(folder, name))).output;

  test("operations know who is primary, the standby is promoted and the other one follows, each by one command", async () => {
    const tables = `CREATE TABLE _prisma_migrations (id text, checksum text, finished_at timestamptz, migration_name text, logs text);
      INSERT INTO _prisma_migrations VALUES ('1', 'x', now(), '20260101000000_first', '');
      CREATE TABLE users (name text); INSERT INTO users VALUES ('ann')`;
    await sql("postgres", tables);
    await mkdir(join(folder, "migrations", "20260101000000_first"));
    expect(await saved("first")).toContain("parley: done");
    expect((await calls()).filter((call) => call.includes("pg_dump"))).toEqual([
      expect.stringMatching(/-T postgres pg_dump/),
    ]);
    expect((await operate("promote")).output).toContain("postgres takes writes and will be stopped: nobody is there");

    await run(join(folder, "server"), ["kill", "postgres"], { env });
    expect(await saved("second")).toContain(
      "no PostgreSQL takes writes: deploy/parley promote makes the standby do so",
    );
    expect((await operate("promote")).output).toContain("parley: done: postgres-2 takes writes");
    await sql("postgres-2", "INSERT INTO users VALUES ('bob')");
    expect(await saved("third")).toContain("parley: done");
    expect((await calls()).filter((call) => call.includes("pg_dump")).at(-1)).toMatch(/-T postgres-2 pg_dump/);

    // With its own data it would be a second primary.
    await expect(docker("compose", "up", "--detach", "postgres")).rejects.toThrow();
    expect((await operate("rejoin")).output).toContain("nobody is there to confirm it");
    expect((await operate("rejoin", "--yes")).output).toContain(
      "parley: done: postgres-2 takes writes, and is followed",
    );
    await sql("postgres-2", "INSERT INTO users VALUES ('cid')");
    expect(await sql("postgres-2", "SHOW synchronous_standby_names")).toBe("standby");
    await waitUntil(async () => (await sql("postgres", "SELECT count(*) FROM users")) === "3");
    expect((await operate("rejoin", "--yes")).output).toContain("postgres follows already");

    // Into the primary of now, and without the events of any node.
    const restored = await operate("restore", join(folder, "third"), "--yes");
    expect(restored.output).toContain("parley: done");
    expect(await sql("postgres-2", "SELECT string_agg(name, ' ') FROM users")).toBe("ann bob");
    expect((await calls()).filter((call) => call.startsWith("volume rm --force stand-in_nats"))).toHaveLength(3);

    // And back again, in order, without losing anything.
    expect((await operate("promote", "--yes")).output).toContain("parley: done: postgres takes writes");
    expect((await operate("rejoin", "--yes")).output).toContain("parley: done: postgres takes writes, and is followed");
    expect(await sql("postgres", "SELECT string_agg(name, ' ') FROM users")).toBe("ann bob");
  });
});
