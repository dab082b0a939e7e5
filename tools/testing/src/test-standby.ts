import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, type PostgresServer, startPostgresServer } from "@parley/local-stack";
import pg from "pg";
import { freshFolder } from "./test-servers.js";
import { waitUntil } from "./wait-until.js";

/** A PostgreSQL primary and its synchronous standby, which has every commit of the primary. */
export interface PostgresWithStandby {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Names both, and asks for the one that takes writes. */
  readonly url: string;
  /** Makes the standby the primary, as an operator's tool does once the primary is gone; resolves when it takes writes. */
  readonly promote: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Nothing has to outlive a crash of the machine: tests only crash processes. */
const settings = { fsync: "off", full_page_writes: "off" };

/** Starts both and resolves when the standby is synchronous. Their one database is `postgres`, and empty. */
export async function startPostgresWithStandby(): Promise<PostgresWithStandby> {
  const password = randomBytes(12).toString("hex");
  const options = { password, durable: true };
  const primaryPort = await findFreePort();
  const of = { ...options, dataDir: freshFolder("primary"), port: primaryPort };
  const empty = await startPostgresServer({ ...of, settings });
  await empty.stop();

  const copy = { ...options, dataDir: freshFolder("standby"), port: await findFreePort() };
  // With their owner; pg_basebackup does not come with the embedded server.
  await promisify(execFile)("cp", ["-a", of.dataDir, copy.dataDir]);
  await writeFile(join(copy.dataDir, "standby.signal"), "");
  const source = `host=127.0.0.1 port=${primaryPort} user=parley password=${password} application_name=standby`;
  await appendFile(join(copy.dataDir, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);

  const primary = await startPostgresServer({ ...of, settings: { ...settings, synchronous_standby_names: "standby" } });
  const standby = await startPostgresServer({ ...copy, settings }).catch(async (error) => {
    await primary.stop();
    throw error;
  });
  const isSynchronous = () => ask(primary.url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
  await waitUntil(isSynchronous, { what: "the standby to be synchronous", timeoutMs: 30_000 });
  const { username } = new URL(primary.url);
  return {
    primary,
    standby,
    url:
      `postgresql://${username}:${password}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres` +
      "?target_session_attrs=read-write",
    promote: async () => {
      if (!(await ask(standby.url, "SELECT WHERE pg_promote()"))) throw new Error("The standby was not promoted.");
    },
    // At its end a primary waits for the standby's confirmations.
    stop: async () => {
      await Promise.all([primary.kill(), standby.kill()]);
    },
  };
}

/** Whether a query has rows. */
async function ask(url: string, query: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rowCount !== 0;
  } finally {
    await client.end();
  }
}
