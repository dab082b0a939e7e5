import type { Database } from "@parley/database";
import { runCheck } from "@parley/service-runtime";
import { healthCheckTimeoutMs } from "./limits.js";
import type { HealthReport } from "./schema.js";

/** Name of the service in its health answer (contract.md 15). */
export const serviceName = "parley";

/**
 * The answer of GET /health.
 *
 * @param options.countConnections open gateway connections of all processes
 */
export function createHealthReport(options: {
  database: Database;
  version: string;
  countConnections: () => Promise<number>;
}): () => Promise<HealthReport> {
  const { database, version, countConnections } = options;
  return async () => {
    const [check, websocket] = await Promise.all([
      runCheck((timeoutMs) => database.ping(timeoutMs), healthCheckTimeoutMs),
      // The database alone decides about the status; without Redis nobody knows of any connection.
      countConnections().catch(() => 0),
    ]);
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
