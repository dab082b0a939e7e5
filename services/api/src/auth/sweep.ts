import { type Database, defineStatement } from "@parley/database";
import type { Closable, Logger } from "@parley/service-runtime";
import { knownAddressDays, refreshGraceSeconds, sweepBatchMax, sweepIntervalMs } from "./limits.js";

/** Rows that another process is at are left to it. */
const expiredStatement = defineStatement({
  name: "sessions_sweep_expired",
  text: `DELETE FROM refresh_sessions WHERE id IN (
      SELECT id FROM refresh_sessions WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/** A successor is issued again only within the grace; after that its sealed copy is removed. */
const successorsStatement = defineStatement({
  name: "sessions_sweep_successors",
  text: `UPDATE refresh_sessions SET sealed_successor = NULL WHERE id IN (
      SELECT id FROM refresh_sessions
      WHERE used_at < now() - make_interval(secs => $2) AND sealed_successor IS NOT NULL
      ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

const addressesStatement = defineStatement({
  name: "sessions_sweep_addresses",
  text: `DELETE FROM login_addresses WHERE (user_id, address_hash) IN (
      SELECT user_id, address_hash FROM login_addresses
      WHERE last_login_at < now() - make_interval(days => $2)
      ORDER BY last_login_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
});

/**
 * Removes, now and every hour, refresh sessions that have expired, successors whose grace is over and addresses of old
 * logins. Every process does it, in short statements; doing it twice does no harm.
 */
export function startSessionSweep({ database, logger }: { database: Database; logger: Logger }): Closable {
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    const sweeps = [
      { statement: expiredStatement, values: [] },
      { statement: successorsStatement, values: [refreshGraceSeconds] },
      { statement: addressesStatement, values: [knownAddressDays] },
    ];
    for (const { statement, values } of sweeps) {
      while (!closed && (await database.execute(statement, [sweepBatchMax, ...values])) === sweepBatchMax);
    }
  };
  const run = () => {
    running = sweep().catch((err: unknown) => logger.warn({ err }, "expired sessions could not be removed"));
  };
  run();
  const timer = setInterval(run, sweepIntervalMs);
  timer.unref();
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
