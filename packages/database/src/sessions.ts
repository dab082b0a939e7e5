import type pg from "pg";
import { ignoreError } from "./pool.js";
import type { Queryable } from "./queryable.js";
import { createSemaphore } from "./semaphore.js";
import { prepared, type RawRow } from "./statement.js";

/** One connection for several statements that are no transaction. */
export type Session = Pick<Queryable, "query" | "execute">;

/** Connections that somebody keeps while doing other work, with what lives as long as a connection: session-level locks. */
export interface Sessions {
  /**
   * Most sessions at a time: half of the pool, so that the holder of a session always gets a second connection in the
   * end, for a transaction under its locks.
   */
  readonly max: number;
  /**
   * Runs work on one connection, after those who came before. When the work rejects, the connection is closed, and its
   * locks end with it.
   */
  run<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

export function createSessions(pool: pg.Pool, poolMax: number): Sessions {
  const places = createSemaphore(Math.max(1, Math.floor(poolMax / 2)));
  return {
    max: places.max,
    async run(work) {
      const leave = await places.acquire();
      try {
        return await runOn(await pool.connect(), work);
      } finally {
        leave();
      }
    },
  };
}

async function runOn<Result>(client: pg.PoolClient, work: (session: Session) => Promise<Result>): Promise<Result> {
  client.on("error", ignoreError);
  let broken = true;
  try {
    const result = await work({
      query: async (statement, values) =>
        (await client.query<RawRow>(prepared(statement, values))).rows.map(statement.parse),
      execute: async (statement, values) => (await client.query(prepared(statement, values))).rowCount ?? 0,
    });
    broken = false;
    return result;
  } finally {
    client.removeListener("error", ignoreError);
    client.release(broken);
  }
}
