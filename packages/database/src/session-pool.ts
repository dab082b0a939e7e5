import { Semaphore } from "@parley/service-runtime";
import type pg from "pg";
import { ignoreError, tracedQuery } from "./pool.js";
import type { Queryable } from "./queryable.js";
import { prepared, type RawRow, type SqlValue, type Statement } from "./statement.js";

/** One connection for several statements that are no transaction. */
export type Session = Pick<Queryable, "query" | "execute">;

/** Connections kept during other work, for locks that last as long as a connection: session-level locks. */
export interface SessionPool {
  /**
   * Most sessions at a time: half of the pool, so that the holder of a session always gets a second connection in the
   * end, for a transaction under its locks.
   */
  readonly max: number;
  /**
   * Runs work on one connection, in the order of the calls. When the work rejects, the connection is closed, and its
   * locks end with it.
   */
  run<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

export function createSessionPool(pool: pg.Pool, poolMax: number): SessionPool {
  const slots = new Semaphore(Math.max(1, Math.floor(poolMax / 2)));
  return {
    max: slots.max,
    async run(work) {
      const leave = await slots.acquire();
      try {
        return await runOn(await pool.connect(), work);
      } finally {
        leave();
      }
    },
  };
}

/** Runs work on a connection, and gives it back; closes it when the work rejects. */
export async function runOn<Result>(
  client: pg.PoolClient,
  work: (session: Session, client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  client.on("error", ignoreError);
  let broken = true;
  try {
    const run = (statement: Statement<unknown>, values: readonly SqlValue[]) => {
      const query = prepared(statement, values);
      return tracedQuery(query, () => client.query<RawRow>(query));
    };
    const session: Session = {
      query: async (statement, values) => (await run(statement, values)).rows.map(statement.parse),
      execute: async (statement, values) => (await run(statement, values)).rowCount ?? 0,
    };
    const result = await work(session, client);
    broken = false;
    return result;
  } finally {
    client.removeListener("error", ignoreError);
    client.release(broken);
  }
}
