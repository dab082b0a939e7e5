import { connectDatabase } from "@parley/database";
import { connectMessaging, receiveNotices, respond } from "@parley/messaging";
import { checkStore, createOutbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import { createOperationsHandler, startService } from "@parley/service-runtime";
import { configSchema } from "./config.js";
import { createJudging } from "./judging.js";
import { dependencyCheckTimeoutMs } from "./limits.js";
import { createAutomodMetrics } from "./metrics.js";
import { watchMessages } from "./watch-messages.js";
import { watchNames } from "./watch-names.js";

/**
 * Runs an automod with the settings of the environment, until the process is asked to stop.
 *
 * @param limits.relayIntervalMs interval in which the relay looks through the outbox; tests, with many idle processes,
 * look seldom
 */
export async function run({ relayIntervalMs }: { readonly relayIntervalMs?: number } = {}): Promise<void> {
  await startService("automod", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (base) => {
    const { logger, metrics, database, redis, messaging, own } = base;
    const { registry } = metrics;
    const outbox = own("outbox", createOutbox({ database, messaging, logger, registry, relayIntervalMs }));
    const store = own("store check", checkStore({ messaging, registry }));
    const checks = { database: database.ping, redis: redis.ping, nats: store.check };
    const health = await base.watchHealth(checks, dependencyCheckTimeoutMs);

    const counts = createAutomodMetrics(metrics);
    const judging = createJudging({ database, redis, outbox, metrics: counts, logger });
    own("check", respond(messaging, "automodCheck", judging.check, { logger }));
    own("stored", respond(messaging, "automodStored", judging.stored, { logger }));
    own("rule test", respond(messaging, "automodRuleTest", judging.testRules, { logger }));
    own("settled", receiveNotices(messaging, "automodSettled", judging.settled, { logger }));
    own("late", watchMessages({ database, messaging, judging, metrics: counts, logger }));
    own("names", watchNames({ database, messaging, judging, logger }));

    await base.listen({ handler: createOperationsHandler({ health, metrics }) });
  });
}
