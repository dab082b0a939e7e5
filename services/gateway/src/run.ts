import { createAccessTokens, createAccounts, createReadClaim, jwtSecrets } from "@parley/auth";
import { errorTexts } from "@parley/contracts";
import { connectDatabase } from "@parley/database";
import { connectMessaging, keepStreams } from "@parley/messaging";
import { checkStore, createOutbox } from "@parley/outbox";
import { createPresence, type PresenceTimes } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import {
  answerError,
  createHealth,
  createLifecycle,
  createLogger,
  createMetrics,
  createOperationsRouter,
  loadConfigOrExit,
  registerConnections,
  startHttpServer,
  startMetricsServer,
  startTracing,
} from "@parley/service-runtime";
import { createVoice, createVoiceReconciliation } from "@parley/voice";
import { configSchema } from "./config.js";
import { createGateway, type GatewayLimits } from "./gateway.js";
import { closeTimeoutMs, healthTimeoutMs } from "./limits.js";
import { createGatewayMetrics } from "./metrics.js";

interface RunLimits extends GatewayLimits {
  readonly presenceTimes?: Partial<PresenceTimes>;
}

/**
 * Runs a gateway with the settings of the environment, until the process is asked to stop.
 *
 * @param limits those that are not the service's own, and times of presence: tests choose short periods
 */
export async function run({ presenceTimes, ...limits }: RunLimits = {}): Promise<void> {
  const config = loadConfigOrExit(configSchema, process.env);
  const logger = createLogger({ service: "gateway", level: config.LOG_LEVEL, nodeId: config.NODE_ID });
  const lifecycle = createLifecycle({ logger, stepTimeoutMs: config.SHUTDOWN_TIMEOUT_MS });

  await lifecycle.run(async () => {
    lifecycle.own("traces", await startTracing("gateway", config));
    const name = `parley-gateway ${config.NODE_ID}`;
    const { DATABASE_URL: url, DATABASE_POOL_MAX: poolMax } = config;
    const database = await connectDatabase({ url, poolMax, applicationName: name, logger });
    lifecycle.own("database", database);
    await database.untilMigrated();
    const redis = lifecycle.own("redis", await connectRedis({ url: config.REDIS_URL, name, logger }));
    const messaging = lifecycle.own("nats", await connectMessaging({ url: config.NATS_URL, name, logger }));
    await keepStreams(messaging, { settings: config, logger });

    const metrics = createMetrics({ service: "gateway", version: config.PARLEY_VERSION });
    registerConnections(metrics.registry, { database, redis, messaging });
    const store = lifecycle.own("store check", checkStore({ messaging, registry: metrics.registry }));
    const health = createHealth({
      checks: { database: database.ping, redis: redis.ping, nats: store.check },
      timeoutMs: healthTimeoutMs,
      logger,
    });
    lifecycle.own("metrics", await startMetricsServer({ settings: config, health, metrics, logger }));
    const outbox = lifecycle.own("outbox", createOutbox({ database, messaging, logger, registry: metrics.registry }));
    const voice = createVoice({ redis, outbox });
    const presence = lifecycle.own(
      "presence",
      createPresence({
        nodeId: config.NODE_ID,
        redis,
        database,
        messaging,
        voice,
        logger,
        times: { resumeGraceMs: config.RESUME_GRACE_SECONDS * 1_000, ...presenceTimes },
      }),
    );
    const accessTokens = createAccessTokens({ secret: config.JWT_SECRET, previousSecret: config.JWT_SECRET_PREVIOUS });
    const gateway = createGateway({
      ...limits,
      database,
      redis,
      messaging,
      presence,
      voice,
      voiceReconciliation: createVoiceReconciliation({ database, redis, outbox }),
      readClaim: createReadClaim({ accessTokens, accounts: createAccounts({ database }) }),
      metrics: createGatewayMetrics(metrics.registry),
      logger,
      cursorSecrets: jwtSecrets(config),
      isCompressing: config.GATEWAY_COMPRESSION,
    });
    await gateway.start();

    const operations = createOperationsRouter({ health, metrics });
    const http = await startHttpServer({
      handler: (request, response) => {
        if (!gateway.onRequest(request, response) && !operations(request, response)) {
          answerError(response, 404, errorTexts.not_found);
        }
      },
      onUpgrade: gateway.onUpgrade,
      host: config.HOST,
      port: config.PORT,
      logger,
    });
    lifecycle.own("http server", http);
    // The HTTP server no longer tracks upgraded sockets, so they are closed before it.
    lifecycle.onStop("connections", () => gateway.drain(config.DRAIN_SECONDS), {
      timeoutMs: config.DRAIN_SECONDS * 1_000 + closeTimeoutMs + config.SHUTDOWN_TIMEOUT_MS,
    });
    lifecycle.onStop("readiness", health.beginDraining);
    logger.info({ url: http.url }, "listening");
  });
}
