import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createServerWithMembers, postMessage, runContext } from "@parley/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { attachFile } from "./attach-file.js";
import { makeImages } from "./images.js";
import { createInstallation, type Installation } from "./installation.js";

// deploy/parley restore on a real engine: backups that it refuses, and Ctrl-C at every moment. Every test continues the one before it.

const minuteMs = 60_000;
let installation: Installation;
let backup: string;
let kept: string[];
let present: string[];

beforeAll(async () => {
  // One process of each is enough here, and takes half the time to start.
  const one = { API_SCALE: "1", GATEWAY_SCALE: "1", DRAIN_SECONDS: "1", EDGE_DRAIN_SECONDS: "1" };
  installation = await createInstallation(one);
  await makeImages(installation, ["latest"]);
  await installation.compose(["up", "--detach", "--wait", "--wait-timeout", "240"]);
  const fixture = await createServerWithMembers(createClient(installation.url), 2);
  await attachFile(installation.url, fixture, Buffer.from("kept"));
  kept = await history();
  backup = join(await mkdtemp(join(runContext().folder, "backup-")), "first");
  await installation.operate(["backup", backup]);
  await postMessage(fixture.owner, fixture.channel.id, "after the backup");
  present = await history();
}, 20 * minuteMs);
// A restore that outlives its test would be in the way of the next one.
let unended: number | undefined;
afterEach(() => {
  if (unended !== undefined) process.kill(-unended, "SIGKILL");
  unended = undefined;
});
afterAll(() => installation?.remove(), 5 * minuteMs);

test(
  "broken, cut, foreign and newer backups are refused, and nothing stops",
  async () => {
    const containers = await runningIds();
    const dump = await readFile(join(backup, "database.dump"));
    const foreign = await dumpOf("other", "CREATE TABLE users (id int)");
    const names = `'${[...(await migrations()), "20990101000000_later"].join("', '")}'`;
    const newer = await dumpOf(
      "newer",
      "CREATE TABLE _prisma_migrations (id text, migration_name text, logs text); " +
        `INSERT INTO _prisma_migrations SELECT '1', name, '' FROM unnest(ARRAY[${names}]) name`,
    );
    for (const [sentence, content] of [
      ["is broken or cut", dump.subarray(0, 20_000)],
      ["is broken or cut", dump.subarray(0, dump.length - 40)],
      ["is broken or cut", Buffer.from(dump).fill(255, Math.floor(dump.length / 2))],
      ["is no backup of Parley", foreign],
      ["is of a newer version", newer],
    ] as const) {
      const folder = await mkdtemp(join(runContext().folder, "refused-"));
      await writeFile(join(folder, "database.dump"), content);
      const { code, output } = await restore(folder);
      expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
      expect(output).not.toContain("done");
    }
    const cutFiles = await mkdtemp(join(runContext().folder, "refused-"));
    for (const name of ["database.dump", "uploads.tar"]) await copyFile(join(backup, name), join(cutFiles, name));
    await truncate(join(cutFiles, "uploads.tar"), 700);
    expect((await restore(cutFiles)).output).toContain("uploads.tar is broken or cut");
    expect(await runningIds()).toEqual(containers);
    expect(await history()).toEqual(present);
  },
  5 * minuteMs,
);

test.each([
  ["before", "stop edge"],
  ["after", "stop edge"],
  ["before", "run .* tar"],
  ["after", "run .* tar"],
  ["before", "pg_restore --no-privileges"],
  ["in", "pg_restore --no-privileges"],
  ["after", "pg_restore --no-privileges"],
  ["before", "rm --stop --force nats"],
  ["after", "rm --stop --force nats"],
  ["before", "up --detach --no-recreate --wait$"],
])(
  "Ctrl-C %s '%s': everything runs, with the rows of before or those of the backup",
  async (when, call) => {
    const { code, output } = await restore(backup, { INTERRUPT_WHEN: when, INTERRUPT_AT: call });
    expect(code).not.toBe(0);
    expect(output).toContain("the same command begins again");
    expect(output).not.toContain("parley: done");
    await installation.untilHealthy();
    expect(await services()).toEqual(everything);
    expect(await history()).toEqual(output.includes("the database is as it was") ? present : kept);
    present = await history();
  },
  10 * minuteMs,
);

test(
  "the same command begins again, and ends with the backup",
  async () => {
    const { code, output } = await restore(backup);
    expect([code, output]).toEqual([0, expect.stringContaining("parley: done")]);
    expect(await history()).toEqual(kept);
  },
  5 * minuteMs,
);

const everything = [
  ...["api", "automod", "discord", "edge", "edge-port", "gateway"],
  ...["nats", "postgres", "redis", "webhook-dispatcher"],
];
const services = async () => (await installation.containers()).map(({ Service }) => Service).toSorted();
const runningIds = async () => (await installation.containers()).map(({ ID }) => ID).toSorted();

/** The messages of the database: the tokens of people end before these tests do. */
async function history(): Promise<string[]> {
  const text = await inPostgres(["psql", "-U", "parley", "-tAc", "SELECT content FROM messages ORDER BY id"]);
  return text.trim().split("\n");
}

async function migrations(): Promise<string[]> {
  const text = await inPostgres(["psql", "-U", "parley", "-tAc", "SELECT migration_name FROM _prisma_migrations"]);
  return text.trim().split("\n");
}

/** A dump of a database of its own with these tables. */
async function dumpOf(name: string, tables: string): Promise<Buffer> {
  const sql = ["psql", "-U", "parley", "-v", "ON_ERROR_STOP=1", "-q"];
  await inPostgres([...sql, "-c", `CREATE DATABASE ${name}`]);
  await inPostgres([...sql, "-c", tables, name]);
  return Buffer.from(await inPostgres(["sh", "-c", `pg_dump -U parley --format custom ${name} | base64`]), "base64");
}

function inPostgres(command: readonly string[]): Promise<string> {
  return installation.compose(["exec", "-T", "postgres", ...command]);
}

/** `docker`, which acts as Ctrl-C at the first call that matches INTERRUPT_AT. */
const interrupting = (docker: string) => `#!/bin/bash
if [[ -n \${INTERRUPT_AT-} && $* =~ $INTERRUPT_AT ]] && mkdir "$INTERRUPTED" 2> /dev/null; then
  case $INTERRUPT_WHEN in
    in) '${docker}' "$@" | head -c 20000 ;;
    after) '${docker}' "$@" ;;
  esac
  kill -INT 0
  sleep 600
fi
exec '${docker}' "$@"
`;

async function restore(folder: string, interrupt: Record<string, string> = {}) {
  const programs = await mkdtemp(join(runContext().folder, "programs-"));
  const docker = (await installation.shell("command -v docker")).trim();
  await writeFile(join(programs, "docker"), interrupting(docker), { mode: 0o755 });
  const path = `${programs}:${installation.env.PATH}`;
  const child = spawn(join(runContext().root, "deploy", "parley"), ["restore", folder, "--yes"], {
    env: { ...installation.env, ...interrupt, INTERRUPTED: join(programs, "interrupted"), PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, which Ctrl-C means.
    detached: true,
  });
  unended = child.pid;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on("close", (status) => resolve(status ?? -1));
    child.on("error", reject);
  });
  unended = undefined;
  const last = output.split("\n").slice(-4).join(" | ");
  process.stdout.write(`containers: restore ${Object.values(interrupt).join(" ")}: ${code}, ${last}\n`);
  return { code, output };
}
