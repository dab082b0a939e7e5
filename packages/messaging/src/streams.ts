import { isDeepStrictEqual } from "node:util";
import { deliveriesStream, eventsStream, subjects } from "@parley/contracts";
import { integerSetting, type MinimalLogger } from "@parley/service-runtime";
import { DiscardPolicy, NatsError, nanos, RetentionPolicy, StorageType, type StreamConfig } from "nats";
import { z } from "zod";
import type { Messaging } from "./connect.js";
import { waitingDeliveries } from "./deliveries.js";
import { deliveryQueueMax, streamDuplicateWindowMs, webhookDeliveriesMax } from "./limits.js";
import { isNotFound } from "./not-found.js";

/** The settings of the streams, as environment variables; all processes that ensure them have the same. */
export const eventStreamSettings = {
  EVENTS_MAX_AGE_MS: integerSetting({
    purpose: "How long events can be read again after an interruption, in milliseconds",
    default: 900_000,
    min: 1_000,
    max: 1_000_000_000,
  }),
  EVENTS_MAX_BYTES: integerSetting({
    purpose: "Most bytes that the stream of events keeps",
    default: 1024 ** 3,
    min: 1024 ** 2,
    max: 2 ** 50,
  }),
  STREAM_REPLICAS: integerSetting({ purpose: "Copies of each NATS stream", default: 1, min: 1, max: 5 }),
};

const StreamSettings = z.object(eventStreamSettings);
export type StreamSettings = z.infer<typeof StreamSettings>;

/** Settings for one server on one machine (docs/processes/events.md#stream). */
export const defaultStreamSettings = StreamSettings.parse({});

/**
 * Creates the streams EVENTS and DELIVERIES, or updates existing ones to these settings; one that has them already is
 * not changed. Safe to call from any number of processes at once.
 *
 * @throws NatsError when JetStream is not available, Error with the names of the settings when the server refuses them
 */
export async function ensureStreams(messaging: Messaging, settings: StreamSettings): Promise<void> {
  const kept = {
    storage: StorageType.File,
    num_replicas: settings.STREAM_REPLICAS,
    duplicate_window: nanos(streamDuplicateWindowMs),
  };
  await ensureStream(messaging, {
    ...kept,
    // NATS does not accept a longer window than the age of the stream.
    duplicate_window: nanos(Math.min(streamDuplicateWindowMs, settings.EVENTS_MAX_AGE_MS)),
    name: eventsStream,
    subjects: [subjects.allStored],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: nanos(settings.EVENTS_MAX_AGE_MS),
    max_bytes: settings.EVENTS_MAX_BYTES,
    allow_direct: true,
    republish: { src: subjects.allStored, dest: subjects.allLive },
  });
  await ensureStream(messaging, {
    ...kept,
    name: deliveriesStream,
    subjects: [subjects.allDeliveries],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_msgs: deliveryQueueMax,
    max_msgs_per_subject: await deliveriesPerSubject(messaging),
    discard_new_per_subject: true,
  });
}

/**
 * Ensures the streams now and after every reconnect, because a NATS server may come back without its data.
 *
 * @throws NatsError when they cannot be ensured now; later failures are logged, and the next reconnect tries again
 */
export async function keepStreams(
  messaging: Messaging,
  { settings, logger }: { settings: StreamSettings; logger: MinimalLogger },
): Promise<void> {
  await ensureStreams(messaging, settings);
  messaging.onConnectionChange((connected) => {
    if (!connected) return;
    ensureStreams(messaging, settings).catch((error: unknown) => {
      logger.warn({ err: error }, "the streams could not be ensured after a reconnect");
    });
  });
}

/**
 * Each webhook has a subject of its own, whose limit is the webhook's share. A queue that is older than the limit may
 * have more jobs of one webhook: a NATS server that starts with a lower limit than that deletes the oldest.
 */
async function deliveriesPerSubject(messaging: Messaging): Promise<number> {
  try {
    return Math.max(webhookDeliveriesMax, ...(await waitingDeliveries(messaging)).values());
  } catch (error) {
    if (isNotFound(error)) return webhookDeliveriesMax;
    throw error;
  }
}

async function ensureStream(messaging: Messaging, config: Partial<StreamConfig> & { name: string }): Promise<void> {
  const manager = await messaging.nats.jetstreamManager();
  try {
    const stream = await manager.streams.info(config.name);
    if (hasSettings(stream.config, config)) return;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    try {
      await manager.streams.add(config);
      return;
    } catch (addError) {
      // Another process created it between the two calls, or the server refuses it; then there is nothing to update.
      if (!(addError instanceof NatsError)) throw addError;
      await manager.streams.update(config.name, config).catch((updateError: unknown) => {
        throw refusal(config.name, isNotFound(updateError) ? addError : updateError);
      });
      return;
    }
  }
  await manager.streams.update(config.name, config).catch((error: unknown) => {
    throw refusal(config.name, error);
  });
}

/** An error of JetStream about the configuration names the settings; other errors are returned as they are. */
function refusal(stream: string, error: unknown): unknown {
  if (!(error instanceof NatsError) || error.api_error === undefined) return error;
  const names = Object.keys(eventStreamSettings).join(", ");
  const { description } = error.api_error;
  return new Error(`NATS refuses the settings of the stream ${stream} (${names}): ${description}`, { cause: error });
}

/** Whether a stream has every setting of `wanted`; the server adds defaults for the others. */
function hasSettings(config: StreamConfig, wanted: Partial<StreamConfig>): boolean {
  const current = new Map<string, unknown>(Object.entries(config));
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(current.get(name), value));
}
