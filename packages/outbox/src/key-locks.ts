import { type Database, defineStatement, type Session } from "@parley/database";
import { KeyedMutex, Semaphore } from "@parley/service-runtime";
import { z } from "zod";
import type { Keys } from "./order.js";

const enterStatement = defineStatement({
  name: "outbox_enter",
  text: "SELECT key::text AS key, behind AS has_backlog FROM outbox_enter($1::uuid[], $2::uuid[], $3::boolean)",
  row: z.object({ key: z.string(), has_backlog: z.boolean() }),
});

const leaveStatement = defineStatement({
  name: "outbox_leave",
  text: "SELECT outbox_leave($1::uuid[])",
  row: () => null,
});

/** Ordering keys that are locked, and the session of PostgreSQL that holds the locks. */
export interface LockedKeys {
  session: Session;
  keys: ReadonlySet<string>;
  parentKeys: readonly string[];
  /** Whether the outbox has unpublished events of these or the parent keys, which have to be published first. */
  hasBacklog: boolean;
  /** Ids of the events that the stream has acknowledged. They are deleted by the statement that releases the locks. */
  stored: string[];
}

type Work<Result> = (held: LockedKeys) => Promise<Result>;

/**
 * Locks of ordering keys, shared by all processes. A writer locks its keys before ids and times are assigned and
 * unlocks them when the stream has acknowledged the events, so no other event of the same key is stored in between.
 *
 * They are session-level advisory locks of PostgreSQL: they outlast the commit, and end with the connection. Resources
 * are always taken in the same order, so no deadlock is possible:
 *
 * 1. the mutex of the keys within the process
 * 2. a session
 * 3. the locks, either without waiting or in one fixed order
 * 4. a connection for a transaction; `Sessions.max` leaves enough of them
 */
export class KeyLocks {
  /** Before the locks of PostgreSQL: a contended key occupies at most one database connection of the process. */
  readonly mutex = new KeyedMutex();
  readonly #database: Pick<Database, "sessions">;
  /** Limits the sessions that wait for locks of other processes; the rest is left to uncontended keys. */
  readonly #waiters: Semaphore;

  constructor(database: Pick<Database, "sessions">) {
    this.#database = database;
    this.#waiters = new Semaphore(Math.max(1, Math.floor(database.sessions.max / 2)));
  }

  /** Locks all keys, within the process and in PostgreSQL, and runs the work. */
  async hold<Result>(keys: Keys, work: Work<Result>): Promise<Result> {
    for (const key of keys.keys) await this.mutex.lock(key);
    try {
      const tried = await this.attempt(keys, async (held) =>
        held.keys.size < keys.keys.length ? null : { result: await work(held) },
      );
      return tried === null ? await this.wait(keys, work) : tried.result;
    } finally {
      for (const key of keys.keys) this.mutex.unlock(key);
    }
  }

  /**
   * Locks those of the keys that are free, without waiting, and runs the work. The caller holds the mutex of all keys.
   */
  attempt<Result>(keys: Keys, work: Work<Result>): Promise<Result> {
    return this.#run(keys, false, work);
  }

  /** Waits until all keys are locked, then runs the work. The caller holds the mutex of all keys. */
  async wait<Result>(keys: Keys, work: Work<Result>): Promise<Result> {
    const release = await this.#waiters.acquire();
    let isWaiting = true;
    const stopWaiting = () => {
      if (isWaiting) release();
      isWaiting = false;
    };
    try {
      return await this.#run(keys, true, (held) => {
        stopWaiting();
        return work(held);
      });
    } finally {
      stopWaiting();
    }
  }

  async #run<Result>({ keys, parentKeys }: Keys, wait: boolean, work: Work<Result>): Promise<Result> {
    let outcome: PromiseSettledResult<Result> | undefined;
    try {
      await this.#database.sessions.run(async (session) => {
        const entered = await session.query(enterStatement, [keys, parentKeys, wait]);
        const hasBacklog = entered.some(({ has_backlog }) => has_backlog);
        const held = { session, keys: new Set(entered.map(({ key }) => key)), parentKeys, hasBacklog, stored: [] };
        [outcome] = await Promise.allSettled([work(held)]);
        await session.query(leaveStatement, [held.stored]);
      });
    } catch (error) {
      // The work is done. Losing the connection afterwards releases the locks; the relay then deletes the rows.
      if (outcome === undefined) throw error;
    }
    if (outcome === undefined) throw new Error("A session ended without its work");
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}
