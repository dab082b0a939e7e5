import { connectDatabase } from "@parley/database";
import { connectMessaging, receiveNotices, respond } from "@parley/messaging";
import { checkStore, createOutbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import {
  createHealth,
  createLifecycle,
  createLogger,
  createMetrics,
  createOperationsHandler,
  loadConfigOrExit,
  registerConnections,
  startHttpServer,
  startMetricsServer,
  startTracing,
} from "@parley/service-runtime";
import { configSchema } from "./config.js";
import { createJudging } from "./judging.js";
import { dependencyCheckTimeoutMs } from "./limits.js";
import { createAutomodMetrics } from "./metrics.js";
import { watchMessages } from "./watch-messages.js";
import { watchNames } from "./watch-names.js";

/** Runs an automod with the settings of the environment, until the process is asked to stop. */
export async function run(): Promise<void> {
  const config = loadConfigOrExit(configSchema, process.env);
  const logger = createLogger({ service: "automod", level: config.LOG_LEVEL, nodeId: config.NODE_ID });
  const lifecycle = createLifecycle({ logger, stepTimeoutMs: config.SHUTDOWN_TIMEOUT_MS });

  await lifecycle.run(async () => {
    lifecycle.own("traces", await startTracing("automod", config));
    const name = `parley-automod ${config.NODE_ID}`;
    const metrics = createMetrics({ service: "automod", version: config.PARLEY_VERSION });
    const { DATABASE_URL: url, DATABASE_POOL_MAX: poolMax } = config;
    const database = await connectDatabase({ url, poolMax, applicationName: name, logger });
    lifecycle.own("database", database);
    await database.untilMigrated();
    const redis = lifecycle.own("redis", await connectRedis({ url: config.REDIS_URL, name, logger }));
    const messaging = lifecycle.own("nats", await connectMessaging({ url: config.NATS_URL, name, logger }));
    registerConnections(metrics.registry, { database, redis, messaging });
    const outbox = lifecycle.own("outbox", createOutbox({ database, messaging, logger, registry: metrics.registry }));
    const store = lifecycle.own("store check", checkStore({ messaging, registry: metrics.registry }));
    const health = createHealth({
      checks: { database: database.ping, redis: redis.ping, nats: store.check },
      timeoutMs: dependencyCheckTimeoutMs,
      logger,
    });
    lifecycle.own("metrics", await startMetricsServer({ settings: config, health, metrics, logger }));

    const counts = createAutomodMetrics(metrics);
    const judging = createJudging({ database, redis, outbox, metrics: counts, logger });
    lifecycle.own("check", respond(messaging, "automodCheck", judging.check, { logger }));
    lifecycle.own("stored", respond(messaging, "automodStored", judging.stored, { logger }));
    lifecycle.own("rule test", respond(messaging, "automodRuleTest", judging.testRules, { logger }));
    lifecycle.own("settled", receiveNotices(messaging, "automodSettled", judging.settled, { logger }));
    lifecycle.own("late", watchMessages({ database, messaging, judging, metrics: counts, logger }));
    lifecycle.own("names", watchNames({ database, messaging, judging, logger }));

    const handler = createOperationsHandler({ health, metrics });
    const server = await startHttpServer({ handler, host: config.HOST, port: config.PORT, logger });
    lifecycle.own("http", server);
    lifecycle.onStop("readiness", () => health.beginDraining());
    logger.info({ url: server.url }, "automod is listening");
  });
}
