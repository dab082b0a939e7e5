import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, OrderedWith } from "@parley/outbox";
import type { Stores } from "../platform/http/may.js";

/** The input of a change. */
export interface Change<Access> {
  /** As it is under the lock. */
  access: Access;
  transaction: Transaction;
  emit: Emit;
}

/** A right, asked for one caller and one path. */
export interface CallerRight<Access, Work extends Change<Access> = Change<Access>> {
  /**
   * Reads the caller's access.
   *
   * @param connection a transaction that has locked the server already; absent: the database
   * @throws ServiceError with the errors that the right declares
   */
  access(connection?: Queryable): Promise<Access>;
  /**
   * Asks the right, unless `access` has, so that nobody waits for a lock without it; takes the locks of the right, asks again,
   * and commits what `work` writes together with its events.
   *
   * @param work may run several times; if it throws, all is rolled back
   * @param lockFirst takes locks that come before those of the right, in the same transaction
   * @throws ServiceError with the errors that the right declares
   */
  change<T>(work: (change: Work) => Promise<T>, lockFirst?: (transaction: Transaction) => Promise<void>): Promise<T>;
}

/** Judges a right, and names the locks of its changes. */
export interface Rule<Access> {
  judge: (connection: Queryable) => Promise<Access>;
  /** Scopes of the events of a change; empty when nobody sees its rows yet. */
  scopesOf: (access: Access) => readonly OrderedWith[];
  /** Takes the locks of a change beside the order of its events. */
  lock?: (transaction: Transaction) => Promise<void>;
  /** Changes of the same thing follow each other in a process before they take a connection. */
  turnOf?: (access: Access) => string;
}

/** Asks a right by its rule. */
export function asked<Access>(stores: Stores, rule: Rule<Access>): CallerRight<Access>;
/** @param extend adds to the usual input of a change */
export function asked<Access, Work extends Change<Access>>(
  stores: Stores,
  rule: Rule<Access>,
  extend: (change: Change<Access>) => Work,
): CallerRight<Access, Work>;
export function asked<Access>(
  { database, outbox, turns }: Stores,
  { judge, scopesOf, lock, turnOf }: Rule<Access>,
  extend = (change: Change<Access>) => change,
): CallerRight<Access> {
  let known: Access | undefined;
  const ask = async () => {
    known = await judge(database);
    return known;
  };
  return {
    access: (connection) => (connection === undefined ? ask() : judge(connection)),
    async change(work, lockFirst) {
      const before = known ?? (await ask());
      const run = () =>
        outbox.transaction(scopesOf(before), async (transaction, emit) => {
          await lockFirst?.(transaction);
          await lock?.(transaction);
          return work(extend({ access: await judge(transaction), transaction, emit }));
        });
      return turnOf === undefined ? run() : turns.run(turnOf(before), run);
    },
  };
}
