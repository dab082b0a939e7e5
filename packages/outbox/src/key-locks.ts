import { createSemaphore, type Database, defineStatement, type Semaphore, type Session } from "@parley/database";
import { z } from "zod";
import { KeyTurns } from "./key-turns.js";
import type { Keys } from "./order.js";

const enterStatement = defineStatement({
  name: "outbox_enter",
  text: "SELECT key::text AS key, behind FROM outbox_enter($1::uuid[], $2::uuid[], $3::boolean)",
  row: z.object({ key: z.string(), behind: z.boolean() }),
});

const leaveStatement = defineStatement({
  name: "outbox_leave",
  text: "SELECT outbox_leave($1::uuid[])",
  row: () => null,
});

/** Locked keys, with the connection that holds the locks. */
export interface Held {
  session: Session;
  keys: ReadonlySet<string>;
  earlier: readonly string[];
  /** Whether events wait in the outbox that go before those of the holder: their writer died or had no way to NATS. */
  behind: boolean;
  /** Ids of the events that the stream has; they are deleted with the locks' end. */
  stored: string[];
}

type Work<Result> = (held: Held) => Promise<Result>;

/**
 * Locks of ordering keys, over all processes. A holder locks before ids and times are made and unlocks when the stream
 * has acknowledged the events, so no other event of the same key is stored in between.
 *
 * The locks are PostgreSQL's session-level advisory locks: they outlive the commit, and end with the process that holds
 * them. No deadlock is possible: turns within the process come first, then the session, then the locks (all without
 * waiting, or all in one order), then a connection for a transaction, of which sessions leave enough (`Sessions.max`).
 */
export class KeyLocks {
  readonly turns = new KeyTurns();
  readonly #database: Pick<Database, "sessions">;
  /** Sessions that wait for other processes; the rest is left to uncontended keys. */
  readonly #waiters: Semaphore;

  constructor(database: Pick<Database, "sessions">) {
    this.#database = database;
    this.#waiters = createSemaphore(Math.max(1, Math.floor(database.sessions.max / 2)));
  }

  /** Takes the turns of all keys, locks them, and runs the work. */
  async hold<Result>(keys: Keys, work: Work<Result>): Promise<Result> {
    for (const key of keys.keys) await this.turns.take(key);
    try {
      const tried = await this.attempt(keys, async (held) =>
        held.keys.size < keys.keys.length ? null : { result: await work(held) },
      );
      return tried === null ? await this.wait(keys, work) : tried.result;
    } finally {
      for (const key of keys.keys) this.turns.free(key);
    }
  }

  /** Locks those of the keys that are free, without waiting, and runs the work. The caller has the turns of all. */
  attempt<Result>(keys: Keys, work: Work<Result>): Promise<Result> {
    return this.#run(keys, false, work);
  }

  /** Waits until all keys are locked, then runs the work. The caller has their turns. */
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

  async #run<Result>({ keys, earlier }: Keys, wait: boolean, work: Work<Result>): Promise<Result> {
    let outcome: PromiseSettledResult<Result> | undefined;
    try {
      await this.#database.sessions.run(async (session) => {
        const entered = await session.query(enterStatement, [keys, earlier, wait]);
        const behind = entered.some((key) => key.behind);
        const held = { session, keys: new Set(entered.map(({ key }) => key)), earlier, behind, stored: [] };
        [outcome] = await Promise.allSettled([work(held)]);
        await session.query(leaveStatement, [held.stored]);
      });
    } catch (error) {
      // The work is done: a connection that is lost afterwards takes its locks with it, and the relay deletes the rows.
      if (outcome === undefined) throw error;
    }
    if (outcome === undefined) throw new Error("A session ended without its work");
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}
