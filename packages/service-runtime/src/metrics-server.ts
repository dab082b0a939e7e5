import type { Health } from "./health.js";
import { startHttpServer } from "./http-server.js";
import type { Closable } from "./lifecycle.js";
import type { Logger } from "./logger.js";
import type { Metrics } from "./metrics.js";
import { createOperationsHandler } from "./operations-handler.js";

/**
 * Starts a second listener, for Prometheus. It answers metrics and health to every peer that reaches its port, which
 * must therefore be on a private network. The service's own port answers metrics to loopback only
 * (docs/protocol/operators.md#15).
 *
 * @param options.settings METRICS_PORT 0: no listener
 * @throws ListenError when the address cannot be taken
 */
export async function startMetricsServer(options: {
  settings: { METRICS_HOST: string; METRICS_PORT: number };
  health: Health;
  metrics: Metrics;
  logger: Logger;
}): Promise<Closable> {
  const { settings, health, metrics, logger } = options;
  if (settings.METRICS_PORT === 0) return { close: () => undefined };
  const handler = createOperationsHandler({ health, metrics, mayReadMetrics: () => true });
  const server = await startHttpServer({ handler, host: settings.METRICS_HOST, port: settings.METRICS_PORT, logger });
  logger.info({ url: server.url }, "metrics are listening");
  return server;
}
