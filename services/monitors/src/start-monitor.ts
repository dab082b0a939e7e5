import {
  baseSettings,
  createHealth,
  createLifecycle,
  createLogger,
  createMetrics,
  type Lifecycle,
  type Logger,
  loadConfigOrExit,
  startMetricsServer,
} from "@parley/service-runtime";
import type { Registry } from "prom-client";
import { z } from "zod";

/** Settings that every monitor has: it reads no database and listens for Prometheus alone. */
export const monitorSettings = z.object(baseSettings({ port: 0 })).pick({
  NODE_ID: true,
  PARLEY_VERSION: true,
  LOG_LEVEL: true,
  METRICS_PORT: true,
  METRICS_HOST: true,
  SHUTDOWN_TIMEOUT_MS: true,
});

/** The parts of a monitor that exist before it starts. */
interface MonitorBase<Config> extends Pick<Lifecycle, "own" | "onStop"> {
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Runs a monitor with the settings of the environment, until the process is asked to stop. */
export async function startMonitor<Schema extends z.ZodType<z.output<typeof monitorSettings>>>(
  service: string,
  schema: Schema,
  start: (base: MonitorBase<z.output<Schema>>) => Promise<unknown>,
): Promise<void> {
  const config = loadConfigOrExit(schema, process.env);
  const { LOG_LEVEL: level, NODE_ID: nodeId, SHUTDOWN_TIMEOUT_MS: stepTimeoutMs } = config;
  const logger = createLogger({ service, level, nodeId });
  const lifecycle = createLifecycle({ logger, stepTimeoutMs });
  await lifecycle.run(async () => {
    const metrics = createMetrics({ service, version: config.PARLEY_VERSION });
    const { own, onStop } = lifecycle;
    await start({ config, logger, registry: metrics.registry, own, onStop });
    const health = createHealth({ checks: {}, timeoutMs: stepTimeoutMs });
    own("metrics", await startMetricsServer({ settings: config, health, metrics, logger }));
  });
}
