import {
  type Answer,
  createClient,
  type RestClient,
  type SharedStack,
  sharedStack,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";

/** A statement of a test, with its parameters. */
export interface Statement {
  sql: string;
  values: readonly unknown[];
}

/** Takes the turn in the outbox for an ordering key, the id of a server or channel. */
export const turnOf = (id: string): Statement => ({
  sql: "SELECT outbox_enter(ARRAY[$1]::uuid[], '{}', true)",
  values: [id],
});

/** The shared stack, and a connection to their database that a test holds locks with. */
export function useLockStage() {
  let stack: SharedStack;
  let client: RestClient;
  let database: pg.Client;
  beforeAll(async () => {
    stack = await sharedStack();
    client = createClient(stack.edgeUrl);
    database = await connectTo(stack);
  });
  afterAll(() => database?.end());
  return {
    get stack() {
      return stack;
    },
    get client() {
      return client;
    },
    get database() {
      return database;
    },
  };
}

/** A connection to a stack's database; the caller ends it. */
export async function connectTo({ databaseUrl }: SharedStack): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  return database;
}

/**
 * Sends a request that waits for locks, and releases them when something has happened meanwhile. The next test begins
 * without them, also when this one fails.
 *
 * @returns the answer to the request
 */
export async function sentBehind(
  database: pg.Client,
  locks: readonly Statement[],
  { send, meanwhile }: { send: () => Promise<Answer>; meanwhile: () => Promise<unknown> },
): Promise<Answer> {
  await database.query("BEGIN");
  let answer: Promise<Answer>;
  try {
    for (const { sql, values } of locks) await database.query(sql, [...values]);
    answer = send();
    await waitUntil(async () => (await waitingForLocks(database)) > 0, { what: "the request to wait for its turn" });
    await meanwhile();
    await database.query("COMMIT");
  } finally {
    await database.query("ROLLBACK");
    await database.query("SELECT outbox_leave('{}')");
  }
  return answer;
}
