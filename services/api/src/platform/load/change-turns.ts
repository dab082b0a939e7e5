import { FairQueue } from "./fair-queue.js";

/**
 * The queue in which changes of one server, or of one account's things, wait for each other; see {@link
 * createChangeTurns}.
 */
export type ChangeTurns = Pick<FairQueue, "run">;

/**
 * Changes that lock the row of their server, or the account, would wait for each other in PostgreSQL, each on a connection:
 * a dozen of one server at once would take all connections of the process from every other tenant. So one change of a tenant
 * runs at a time in this process, and the others wait in memory. Changes that are ordered with events of their server wait
 * in the outbox in the same way.
 *
 * A turn is taken before anything else: no holder of a connection or an ordering key waits for one, so there is no deadlock.
 */
export function createChangeTurns(): ChangeTurns {
  return new FairQueue({
    runningMax: Number.POSITIVE_INFINITY,
    runningPerTenantMax: 1,
    // Below the unfinished requests of a process, so that others get in.
    waitingMax: 1_500,
    waitingPerTenantMax: 500,
    // As long as a transaction may take.
    waitMaxMs: 10_000,
  });
}
