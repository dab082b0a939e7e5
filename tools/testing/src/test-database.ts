import { randomBytes } from "node:crypto";
import pg from "pg";
import { runContext } from "./run-context.js";

/** The migrated database that every test database is copied from. */
export const templateDatabase = "parley_template";

/** A database of its own on the run's shared PostgreSQL. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Opens a connection for statements of the test itself; end it before `drop`. */
  readonly connect: () => Promise<pg.Client>;
  /** Ends its connections and removes it. */
  readonly drop: () => Promise<void>;
}

/**
 * Creates a database for one test file, migrated to the newest schema, or empty with `migrated: false`.
 * Drop it in `afterAll`; what is forgotten goes with the cluster at the end of the run.
 */
export async function createTestDatabase({ migrated = true }: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = migrated ? templateDatabase : "template0";
  // Writing the copy to the log, the default, costs three times the processor time.
  await server().query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: databaseUrl(name),
    name,
    connect: () => connectTo(databaseUrl(name)),
    drop: async () => {
      await server().query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function databaseUrl(name: string): string {
  const url = new URL(runContext().postgresUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

let shared: pg.Pool | undefined;

/** The connections of this process to the server: a connection costs half of what a copy does. */
function server(): pg.Pool {
  if (shared === undefined) {
    shared = new pg.Pool({
      connectionString: runContext().postgresUrl,
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
    });
    // The server may end first.
    shared.on("error", () => undefined);
  }
  return shared;
}
