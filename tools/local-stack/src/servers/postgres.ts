import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Refusal, reasonOf } from "../refusal.js";
import { type ServerProcess, startServerProcess } from "../server-process.js";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.js";
import { findPostgresUser, type SystemUser } from "./postgres-user.js";

const majorVersion = "18";
const superuser = "parley";

/** A PostgreSQL server; `url` leads to its database `postgres`. */
export interface PostgresServer extends ServerProcess {
  /** The URL of another database of the same server. */
  readonly databaseUrl: (database: string) => string;
}

/**
 * Starts PostgreSQL on 127.0.0.1 with its cluster in `dataDir`, which is created when it is missing.
 * `durable: false` is for throw-away clusters: nothing is synced to disk, a crash of the machine loses it.
 * `settings` are further ones, which win.
 */
export async function startPostgresServer(options: {
  dataDir: string;
  port: number;
  password: string;
  durable: boolean;
  settings?: Readonly<Record<string, string>>;
  /** A database that is created with the cluster. */
  database?: string;
  onLine?: ((line: string) => void) | undefined;
  abort?: AbortSignal | undefined;
}): Promise<PostgresServer> {
  const user = await findPostgresUser();
  const binaries = await findPostgresBinaries(user);
  if (existsSync(join(options.dataDir, "PG_VERSION"))) await requireUsable(options.dataDir);
  else await createCluster({ ...options, binaries, user });

  const databaseUrl = (database: string) =>
    `postgresql://${superuser}:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;
  const server = await startServerProcess({
    name: "PostgreSQL",
    url: databaseUrl("postgres"),
    port: options.port,
    ready: { line: /database system is ready to accept (read-only )?connections/ },
    // The fast shutdown: ends open connections, writes a checkpoint.
    stopSignal: "SIGINT",
    abort: options.abort,
    start: {
      command: binaries.postgres,
      args: ["-D", options.dataDir, ...serverSettings(options)],
      env: { ...process.env, LC_MESSAGES: "C" },
      cwd: options.dataDir,
      user,
      onLine: options.onLine,
    },
  });
  return { ...server, databaseUrl };
}

function serverSettings(options: {
  port: number;
  durable: boolean;
  settings?: Readonly<Record<string, string>>;
}): string[] {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    port: String(options.port),
    unix_socket_directories: "",
    max_connections: "300",
    lc_messages: "C",
    log_timezone: "UTC",
    timezone: "UTC",
    // Short statements dominate; compiling them costs more than it saves.
    jit: "off",
    ...(options.durable
      ? {}
      : {
          fsync: "off",
          synchronous_commit: "off",
          full_page_writes: "off",
          wal_level: "minimal",
          max_wal_senders: "0",
        }),
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function createCluster(cluster: {
  dataDir: string;
  password: string;
  durable: boolean;
  database?: string;
  binaries: PostgresBinaries;
  user: SystemUser | undefined;
}): Promise<void> {
  // Built beside its place and renamed, so that an interrupted first start leaves no half cluster.
  const unfinished = `${cluster.dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(unfinished), { recursive: true });
  const passwordFile = `${cluster.dataDir}.password`;
  await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  const asUser = {
    cwd: unfinished,
    ...(cluster.user === undefined ? {} : { uid: cluster.user.uid, gid: cluster.user.gid }),
  };
  try {
    await mkdir(unfinished, { mode: 0o700 });
    if (cluster.user !== undefined) {
      await chown(unfinished, cluster.user.uid, cluster.user.gid);
      await chown(passwordFile, cluster.user.uid, cluster.user.gid);
    }
    await promisify(execFile)(
      cluster.binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        `--username=${superuser}`,
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
        // The same order of text on every machine.
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        `--locale=${process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8"}`,
        "--lc-messages=C",
        ...(cluster.durable ? [] : ["--no-sync"]),
      ],
      asUser,
    );
    if (cluster.database !== undefined) {
      // The single-user mode needs no port, no password and no client library.
      const single = promisify(execFile)(cluster.binaries.postgres, ["--single", "-D", unfinished, "postgres"], asUser);
      single.child.stdin?.end(`CREATE DATABASE ${cluster.database} TEMPLATE template0\n`);
      await single;
    }
    await chmod(unfinished, 0o700);
    await rename(unfinished, cluster.dataDir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Refusal(`PostgreSQL could not create its data folder ${cluster.dataDir}: ${reasonOf(error)}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function requireUsable(dataDir: string): Promise<void> {
  const version = (await readFile(join(dataDir, "PG_VERSION"), "utf8")).trim();
  if (version !== majorVersion) {
    throw new Refusal(
      `${dataDir} was written by PostgreSQL ${version} and this is PostgreSQL ${majorVersion}: move that folder away, or set DATABASE_URL.`,
    );
  }
  await removeStalePidFile(dataDir);
}

/**
 * PostgreSQL refuses to start while a process with the pid in its lock file exists. After a restart of the machine or
 * container that may be another program; the process with the local stack's lock on the data folder then removes the
 * file.
 */
async function removeStalePidFile(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, "postmaster.pid");
  const pid = await readFile(pidFile, "utf8").then(
    (text) => Number.parseInt(text, 10),
    () => Number.NaN,
  );
  if (Number.isNaN(pid)) return;
  const command = await commandOf(pid);
  if (command !== "" && !command.includes("postgres")) await rm(pidFile, { force: true });
}

/** Name of the program with this pid; "" when there is none, or it cannot be read. */
async function commandOf(pid: number): Promise<string> {
  // Small Debian images have no ps; macOS has no /proc.
  const fromKernel = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (fromKernel !== "") return fromKernel.trim();
  return promisify(execFile)("ps", ["-p", String(pid), "-o", "comm="]).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
}
