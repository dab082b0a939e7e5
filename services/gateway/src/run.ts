import {
  createAccessTokens,
  createAccounts,
  createClientAddress,
  createReadClaim,
  jwtSecrets,
  watchNetworkBans,
} from "@parley/auth";
import { errorTexts } from "@parley/contracts";
import { connectDatabase } from "@parley/database";
import { connectMessaging, keepStreams } from "@parley/messaging";
import { checkStore, createOutbox } from "@parley/outbox";
import { createPresence, type PresenceTimes } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import { answerError, createOperationsRouter, startService } from "@parley/service-runtime";
import { createVoice, createVoiceReconciliation } from "@parley/voice";
import { configSchema } from "./config.js";
import { createGateway, type GatewayLimits } from "./gateway.js";
import { closeTimeoutMs, healthTimeoutMs } from "./limits.js";
import { createGatewayMetrics } from "./metrics.js";

interface RunLimits extends GatewayLimits {
  readonly presenceTimes?: Partial<PresenceTimes>;
  /** Interval in which the relay looks through the outbox. */
  readonly relayIntervalMs?: number;
}

/**
 * Runs a gateway with the settings of the environment, until the process is asked to stop.
 *
 * @param limits those that are not the service's own, and times of presence: tests choose other periods
 */
export async function run({ presenceTimes, relayIntervalMs, ...limits }: RunLimits = {}): Promise<void> {
  await startService("gateway", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (base) => {
    const { config, logger, metrics, database, redis, messaging, own, onStop } = base;
    const { registry } = metrics;
    await keepStreams(messaging, { settings: config, logger });
    const store = own("store check", checkStore({ messaging, registry }));
    const checks = { database: database.ping, redis: redis.ping, nats: store.check };
    const health = await base.watchHealth(checks, healthTimeoutMs);
    const outbox = own("outbox", createOutbox({ database, messaging, logger, registry, relayIntervalMs }));
    const voice = createVoice({ redis, outbox });
    const times = { resumeGraceMs: config.RESUME_GRACE_SECONDS * 1_000, ...presenceTimes };
    const presence = own(
      "presence",
      createPresence({ nodeId: config.NODE_ID, redis, database, messaging, voice, logger, times }),
    );
    const accessTokens = createAccessTokens({ secret: config.JWT_SECRET, previousSecret: config.JWT_SECRET_PREVIOUS });
    const networkBans = own("network bans", await watchNetworkBans({ database, logger }));
    const gateway = createGateway({
      ...limits,
      database,
      redis,
      messaging,
      presence,
      voice,
      voiceReconciliation: createVoiceReconciliation({ database, redis, outbox }),
      readClaim: createReadClaim({ accessTokens, accounts: createAccounts({ database }) }),
      networkBans,
      clientAddress: createClientAddress(config.TRUST_PROXY),
      metrics: createGatewayMetrics(registry),
      logger,
      cursorSecrets: jwtSecrets(config),
      isCompressing: config.GATEWAY_COMPRESSION,
    });
    await gateway.start();
    const operations = createOperationsRouter({ health, metrics });
    await base.listen({
      handler: (request, response) => {
        if (!gateway.onRequest(request, response) && !operations(request, response)) {
          answerError(response, 404, errorTexts.not_found);
        }
      },
      onUpgrade: gateway.onUpgrade,
    });
    // The HTTP server no longer tracks upgraded sockets, so they are closed before it.
    onStop("connections", () => gateway.drain(config.DRAIN_SECONDS), {
      timeoutMs: config.DRAIN_SECONDS * 1_000 + closeTimeoutMs + config.SHUTDOWN_TIMEOUT_MS,
    });
  });
}
