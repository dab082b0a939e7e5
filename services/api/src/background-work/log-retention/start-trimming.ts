import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { trimIntervalMs } from "./limits.js";
import { serverLogs, trim } from "./repository.js";

/**
 * Cuts the audit and auto-moderation logs of servers to their lengths, now and every ten minutes, in short statements
 * beside the requests. Every process does it; doing it twice does no harm.
 */
export function startTrimming({ database, logger }: { database: Database; logger: Logger }): Closable {
  const stop = new AbortController();
  const rest = (ms: number) => pause(ms, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);

  const trimAll = async () => {
    for (const log of serverLogs) {
      let startedAt = performance.now();
      for await (const _ of trim(database, log)) {
        // As long a pause as the statement took leaves at least half of PostgreSQL's time to the others.
        await rest(performance.now() - startedAt);
        if (stop.signal.aborted) return;
        startedAt = performance.now();
      }
    }
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      await trimAll().catch((err: unknown) => logger.warn({ err }, "logs of servers could not be cut yet"));
      await rest(trimIntervalMs);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
