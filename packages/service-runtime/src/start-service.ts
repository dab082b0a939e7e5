import type { z } from "zod";
import { loadConfigOrExit } from "./config.js";
import { type ProcessConnections, registerConnections } from "./connection-metrics.js";
import { type Check, createHealth, type Health } from "./health.js";
import { type HttpServer, startHttpServer } from "./http-server.js";
import { type Closable, createLifecycle, type Lifecycle } from "./lifecycle.js";
import { createLogger, type Logger } from "./logger.js";
import { createMetrics, type Metrics } from "./metrics.js";
import { startMetricsServer } from "./metrics-server.js";
import type { baseSettings } from "./settings.js";
import { startTracing } from "./start-tracing.js";

/** Settings that every service has. */
type ServiceSettings = z.output<z.ZodObject<ReturnType<typeof baseSettings>>> & { DATABASE_POOL_MAX: number };

/** How a service connects to PostgreSQL, Redis and NATS. */
interface Connectors<Database, Redis, Messaging> {
  connectDatabase(options: {
    url: string;
    poolMax: number;
    applicationName: string;
    logger: Logger;
  }): Promise<Database>;
  connectRedis(options: { url: string; name: string; logger: Logger }): Promise<Redis>;
  connectMessaging(options: { url: string; name: string; logger: Logger }): Promise<Messaging>;
}

/** The parts of a service that exist before it starts. */
export interface ServiceBase<Config, Database, Redis, Messaging> extends Pick<Lifecycle, "own" | "onStop"> {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly redis: Redis;
  readonly messaging: Messaging;
  readonly lifecycle: Lifecycle;
  /** Checks the dependencies from now on, and opens the second listener where the settings have one. */
  watchHealth(checks: Record<string, Check>, timeoutMs: number): Promise<Health>;
  /** Opens the port of the service. Steps of stopping that are registered after it run before it closes. */
  listen(options: Omit<Parameters<typeof startHttpServer>[0], "host" | "port" | "logger">): Promise<HttpServer>;
}

/**
 * Runs a service until the process is asked to stop: reads its settings, connects it, waits until the schema is
 * migrated, and calls `start`. When it stops, readiness ends first, and it closes the last started part first.
 *
 * @param name of the service, in logs, metrics and connections
 * @param schema of its settings
 * @param start starts all that runs in the process
 */
export async function startService<
  Schema extends z.ZodType<ServiceSettings>,
  Database extends Closable & ProcessConnections["database"] & { untilMigrated(): Promise<void> },
  Redis extends Closable & NonNullable<ProcessConnections["redis"]>,
  Messaging extends Closable & ProcessConnections["messaging"],
>(
  name: string,
  schema: Schema,
  connectors: Connectors<Database, Redis, Messaging>,
  start: (base: ServiceBase<z.output<Schema>, Database, Redis, Messaging>) => Promise<unknown>,
): Promise<void> {
  const config = loadConfigOrExit(schema, process.env);
  const { HOST: host, PORT: port, NODE_ID: nodeId, DATABASE_POOL_MAX: poolMax } = config;
  const logger = createLogger({ service: name, level: config.LOG_LEVEL, nodeId });
  const lifecycle = createLifecycle({ logger, stepTimeoutMs: config.SHUTDOWN_TIMEOUT_MS });
  const { own, onStop } = lifecycle;

  await lifecycle.run(async () => {
    own("traces", await startTracing(name, config));
    const metrics = createMetrics({ service: name, version: config.PARLEY_VERSION });
    const client = { name: `parley-${name} ${nodeId}`, logger };
    const database = await connectors.connectDatabase({
      url: config.DATABASE_URL,
      poolMax,
      applicationName: client.name,
      logger,
    });
    own("database", database);
    await database.untilMigrated();
    const redis = own("redis", await connectors.connectRedis({ url: config.REDIS_URL, ...client }));
    const messaging = own("nats", await connectors.connectMessaging({ url: config.NATS_URL, ...client }));
    registerConnections(metrics.registry, { database, redis, messaging });
    let health: Health | undefined;
    await start({
      config,
      logger,
      metrics,
      database,
      redis,
      messaging,
      lifecycle,
      own,
      onStop,
      async watchHealth(checks, timeoutMs) {
        health = createHealth({ checks, timeoutMs, logger });
        own("metrics", await startMetricsServer({ settings: config, health, metrics, logger }));
        return health;
      },
      async listen(options) {
        const server = own("http", await startHttpServer({ ...options, host, port, logger }));
        logger.info({ url: server.url }, `${name} is listening`);
        return server;
      },
    });
    onStop("readiness", () => health?.beginDraining());
  });
}
