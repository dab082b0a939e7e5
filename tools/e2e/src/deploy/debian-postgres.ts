import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@parley/local-stack";
import { freshFolder } from "@parley/testing";

const run = promisify(execFile);
const versions = "/usr/lib/postgresql";

/** A PostgreSQL with its programs: the npm package of the other tests has neither psql nor pg_dump. */
export interface DebianPostgres {
  /** The environment with which psql, pg_dump and pg_restore reach it as its superuser `parley`. */
  readonly env: Record<string, string>;
  /** Runs a program of it; returns its output. */
  readonly run: (program: string, ...args: string[]) => Promise<Buffer>;
  readonly stop: () => Promise<unknown>;
}

/**
 * The folder of the programs of Debian's newest PostgreSQL (package postgresql), which is installed where it is missing.
 *
 * @throws Error when that does not work
 */
export async function findDebianPostgres(): Promise<string> {
  const found = await findPrograms();
  if (found !== null) return found;
  await run("apt-get", ["-q", "-y", "--no-install-recommends", "install", "postgresql"])
    .catch(async () => {
      // Fresh images have no package lists.
      await run("apt-get", ["-q", "update"]);
      await run("apt-get", ["-q", "-y", "--no-install-recommends", "install", "postgresql"]);
    })
    .catch((error: unknown) => {
      throw new Error("install postgresql, which has pg_restore", { cause: error });
    });
  return (await findPrograms()) ?? Promise.reject(new Error("the package postgresql has no initdb"));
}

async function findPrograms(): Promise<string | null> {
  const found = await readdir(versions).catch(() => []);
  const folders = found
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, "bin"));
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** Starts a cluster that goes with the run. */
export async function startDebianPostgres(programs: string): Promise<DebianPostgres> {
  const data = freshFolder("debian-postgres");
  await mkdir(data, { mode: 0o700 });
  const user = process.getuid?.() === 0 ? { uid: await idOf("-u"), gid: await idOf("-g") } : {};
  if (user.uid !== undefined) await chown(data, user.uid, user.gid);
  const port = String(await findFreePort());
  const asUser = { ...user, cwd: data };
  await run(join(programs, "initdb"), ["-D", data, "-U", "parley", "--auth=trust", "--no-sync"], asUser);
  const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  const control = (...args: string[]) => run(join(programs, "pg_ctl"), ["-D", data, "-w", ...args], asUser);
  await control("-l", join(data, "log"), "-o", settings, "start");
  const env = { PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "parley" };
  return {
    env,
    run: async (program, ...args) => {
      const options = { env: { ...process.env, ...env }, encoding: "buffer" as const, maxBuffer: 2 ** 26 };
      return (await run(join(programs, program), args, options)).stdout;
    },
    stop: () => control("-m", "immediate", "stop"),
  };
}

/** The number of the user (`-u`) or group (`-g`) that Debian's PostgreSQL runs as. */
export async function idOf(flag: string): Promise<number> {
  return Number((await run("id", [flag, "postgres"])).stdout);
}
