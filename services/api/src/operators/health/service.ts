import type { Database } from "@parley/database/prisma";
import { runCheck } from "@parley/service-runtime";
import type { HealthReport } from "./schema.js";

/** For how long an answer of database and Redis is shared by all requests for /health. */
const healthSharedMs = 1_000;

/** The database counts as timed out after this long (docs/protocol/operators.md#15). */
const healthCheckTimeoutMs = 5_000;

/** How long readiness waits for each dependency. */
export const dependencyCheckTimeoutMs = 5_000;

/** Name of the service in its health answer (docs/protocol/operators.md#15). */
export const serviceName = "parley";

/**
 * The answer of GET /health, which has no rate limit: it queries the database at most once a second.
 *
 * @param options.countConnections open gateway connections of all processes
 */
export function createHealthReport(options: {
  database: Database;
  version: string;
  countConnections: () => Promise<number>;
}): () => Promise<HealthReport> {
  const { database, version, countConnections } = options;
  const find = shareFor(healthSharedMs, () =>
    Promise.all([
      runCheck((timeoutMs) => database.ping(timeoutMs), healthCheckTimeoutMs),
      // The database alone decides about the status; without Redis the number of connections is reported as 0.
      countConnections().catch(() => 0),
    ]),
  );
  return async () => {
    const [check, websocket] = await find();
    return {
      status: check.ok ? "ok" : "degraded",
      service: serviceName,
      version,
      uptime_secs: Math.floor(process.uptime()),
      database: { status: check.ok ? "ok" : check.error, latency_ms: check.latencyMs },
      connections: { websocket },
    };
  };
}

/** Calls within `milliseconds` of the last question share its result, also while it is pending. */
function shareFor<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  let askedAt = 0;
  return () => {
    const now = performance.now();
    if (answer === undefined || now - askedAt >= milliseconds) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
}
