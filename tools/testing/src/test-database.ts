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
 * Creates a database for one test file, migrated to the newest schema, or empty with `migrated: false`. Drop it in
 * `afterAll`; a forgotten one goes with the cluster at the end of the run.
 */
export async function createTestDatabase({ migrated = true }: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = migrated ? templateDatabase : "template0";
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: databaseUrl(name),
    name,
    connect: () => connectTo(databaseUrl(name)),
    drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
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

async function onServer(statement: string): Promise<void> {
  const client = await connectTo(runContext().postgresUrl);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
