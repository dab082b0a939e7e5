import { connectDatabase, readPushKey } from "@parley/database";
import { createAddressTest, createLookupCounter, createNameResolver } from "@parley/egress";
import { connectMessaging, consume, createDeliveryQueue, deliveryConsumer, receiveNotices } from "@parley/messaging";
import { createViews } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import { createOperationsHandler, startService } from "@parley/service-runtime";
import { createHttpClient } from "./attempts/http-client.js";
import { attemptTimeoutMs } from "./attempts/limits.js";
import { InteractionWorker } from "./bots/interaction-worker.js";
import { interactionDrainTimeoutMs, interactionTimeoutMs } from "./bots/limits.js";
import { createBotMetrics, observeBots } from "./bots/metrics.js";
import { configSchema } from "./config.js";
import { createItemRows } from "./inbox/item-rows.js";
import { createCandidateRows } from "./push/candidate-rows.js";
import { oldestPush } from "./push/claim-rows.js";
import { consumePushes } from "./push/consume-pushes.js";
import { pushDrainTimeoutMs } from "./push/limits.js";
import { createPushMetrics, observePushes } from "./push/metrics.js";
import { PushWorker } from "./push/push-worker.js";
import { createSendPush } from "./push/send-push.js";
import { createBacklogRows } from "./webhooks/backlog-rows.js";
import { consumeEvents } from "./webhooks/consume-events.js";
import { createDeliveryRows } from "./webhooks/delivery-rows.js";
import { DeliveryWorker } from "./webhooks/delivery-worker.js";
import { DroppedLog } from "./webhooks/dropped-log.js";
import { createEnqueueJob } from "./webhooks/enqueue-job.js";
import { drainTimeoutMs, jobsAskedForMax } from "./webhooks/limits.js";
import { createDeliveryMetrics, observeDeliveries } from "./webhooks/metrics.js";
import { readBacklogs } from "./webhooks/read-backlogs.js";

/** How long a readiness check of one dependency may take. */
const dependencyCheckTimeoutMs = 5_000;

/** Limits that tests change; by default the constants of the files limits.ts. */
interface DispatcherLimits {
  /** Pauses after the failed attempts of a delivery, one less than attempts. */
  readonly retryDelaysMs?: readonly number[];
  /** Interval of the check for due pushes. */
  readonly pushIntervalMs?: number;
  /** `address:port` of the name servers that look up names that users chose; by default those of the machine. */
  readonly nameServers?: readonly string[];
}

/**
 * Runs a dispatcher with the settings of the environment, until the process is asked to stop.
 *
 * @param limits those that are not the service's own: tests choose other periods
 */
export async function run({ retryDelaysMs, pushIntervalMs, nameServers }: DispatcherLimits = {}): Promise<void> {
  const connectors = { connectDatabase, connectRedis, connectMessaging };
  await startService("webhook-dispatcher", configSchema, connectors, async (base) => {
    const { config, logger, metrics, database, redis, messaging, own, onStop } = base;
    const { registry } = metrics;
    const checks = { database: database.ping, nats: messaging.ping };
    const health = await base.watchHealth(checks, dependencyCheckTimeoutMs);

    const { WEBHOOK_ALLOW_PRIVATE: allowPrivate, WEBHOOK_ALLOWED_NETWORKS: allowedNetworks } = config;
    const allowsAddress = createAddressTest({ allowPrivate, allowedNetworks });
    const names = createNameResolver({
      knowsLocalNames: allowPrivate || allowedNetworks.length > 0,
      servers: nameServers,
      onEnd: createLookupCounter(registry),
    });
    const createClient = (connectTimeoutMs: number) => createHttpClient({ allowsAddress, names, connectTimeoutMs });

    // Webhooks.
    const deliveryMetrics = createDeliveryMetrics(registry);
    const rows = createDeliveryRows({ database });
    const client = createClient(attemptTimeoutMs);
    const worker = new DeliveryWorker({ rows, retryDelaysMs, client, logger, metrics: deliveryMetrics });
    const backlogs = createBacklogRows({ database });
    observeDeliveries({ registry, messaging, scheduler: worker.scheduler, backlogs });
    onStop("attempts under way", () => worker.close(), { timeoutMs: drainTimeoutMs + 1_000 });
    const jobs = { messaging, logger, consumer: deliveryConsumer, demand: () => jobsAskedForMax, handler: worker.take };
    own("delivery jobs", consume(jobs));
    const queue = createDeliveryQueue({ messaging, logger });
    const dropped = new DroppedLog({ rows, onWritten: worker.trimLog });
    const enqueueJob = createEnqueueJob({ queue, dropped, metrics: deliveryMetrics });
    const reading = own("backlogs", readBacklogs({ messaging, queue, enqueueJob, backlogs, logger }));
    const onBacklog = reading.wake;
    own("events", consumeEvents({ database, messaging, enqueueJob, backlogs, onBacklog, logger }));

    // Bots.
    const interactions = new InteractionWorker({
      database,
      messaging,
      client: createClient(interactionTimeoutMs),
      logger,
      count: createBotMetrics(registry),
    });
    observeBots({ registry, scheduler: interactions.scheduler });
    onStop("requests to bots", () => interactions.close(), { timeoutMs: interactionDrainTimeoutMs + 1_000 });
    own("interactions", receiveNotices(messaging, "interactionsWaiting", interactions.claim, { logger }));

    // Push.
    const pushes = new PushWorker({
      database,
      send: createSendPush({
        client: createClient(attemptTimeoutMs),
        contact: config.PUSH_CONTACT,
        readKey: () => readPushKey(database),
      }),
      lookedAt: createViews({ redis }).lookedAt,
      logger,
      metrics: createPushMetrics(registry),
      intervalMs: pushIntervalMs,
    });
    observePushes({ registry, scheduler: pushes.scheduler, pauses: pushes.pauses, oldest: () => oldestPush(database) });
    onStop("pushes under way", () => pushes.close(), { timeoutMs: pushDrainTimeoutMs + 1_000 });
    const candidates = createCandidateRows({ database });
    const inbox = createItemRows({ database });
    own("push events", consumePushes({ messaging, candidates, inbox, onDue: () => void pushes.wake(), logger }));

    await base.listen({ handler: createOperationsHandler({ health, metrics }) });
  });
}
