import { eventsStream, parseSubject, subjects } from "@parley/contracts";
import { type Database, defineStatement, isUnavailable } from "@parley/database";
import { type Consumption, consumeEach, type Messaging } from "@parley/messaging";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { z } from "zod";
import { eventAckWaitMs, retryAfterOutageMs, statementBatchMax, statementsInFlightMax } from "../attempts/limits.js";
import type { BacklogRows } from "./backlog-rows.js";
import { type EnqueueJob, readEvent } from "./enqueue-job.js";
import { eventsHandledMax } from "./limits.js";

/** A webhook of the server of an event. */
const Subscriber = z.object({
  id: z.string(),
  server_id: z.string(),
  event_types: z.array(z.string()),
  enabled: z.boolean(),
  slow: z.boolean(),
  /** The sequence in the stream from which on its events are left to its backlog; null for none. */
  backlog_from: z.int().nullable(),
});
type Subscriber = z.infer<typeof Subscriber>;

/** Read for every batch of events and not cached, so a change applies to the next event. */
const subscribersStatement = defineStatement({
  name: "dispatcher_subscribers",
  text: `SELECT w.id, w.server_id, w.event_types, w.enabled, w.slow,
      CASE WHEN b.growing THEN b.from_sequence::float8 END AS backlog_from
    FROM webhooks w LEFT JOIN webhook_backlogs b ON b.webhook_id = w.id
    WHERE w.server_id = ANY($1::uuid[]) ORDER BY w.id`,
  row: Subscriber,
});

/**
 * Turns message events into delivery jobs: one for each enabled webhook of the server that subscribes to the event. An
 * event is acked once each job is queued, stands in the log as dropped, or is a part of its webhook's backlog; one that
 * is read twice yields the same jobs, which the queue and the log recognise.
 *
 * @param options.onBacklog is called when a webhook got a backlog
 */
export function consumeEvents(options: {
  database: Database;
  messaging: Messaging;
  enqueueJob: EnqueueJob;
  backlogs: Pick<BacklogRows, "add">;
  onBacklog: () => void;
  logger: Logger;
}): Consumption {
  const { database, messaging, enqueueJob, backlogs, onBacklog, logger } = options;

  const subscribersOf = createBatcher<string, Subscriber[]>({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(serverIds) {
      const rows = await database.query(subscribersStatement, [[...new Set(serverIds)]]);
      const byServer = new Map(serverIds.map((serverId): [string, Subscriber[]] => [serverId, []]));
      for (const row of rows) byServer.get(row.server_id)?.push(row);
      return serverIds.map((serverId) => byServer.get(serverId) ?? []);
    },
  });

  return consumeEach({
    messaging,
    logger,
    consumer: {
      stream: eventsStream,
      name: "webhook-dispatcher",
      filter: subjects.storedMessages,
      ackWaitMs: eventAckWaitMs,
      unackedMax: eventsHandledMax * 10,
    },
    handledMax: eventsHandledMax,
    retryMs: retryAfterOutageMs,
    isOutage: isUnavailable,
    async handle({ subject, id, body, sequence }) {
      const address = parseSubject(subject);
      const event = address === null ? null : readEvent({ address, id, body });
      if (event === null) {
        logger.error({ subject, event_id: id }, "an event cannot be read");
        return;
      }
      const webhooks = event.delivery === null ? [] : await subscribersOf(event.serverId);
      const server = { id: event.serverId, webhookIds: webhooks.map((webhook) => webhook.id) };
      const settle = async (webhook: Subscriber) => {
        // Those from there on are read from the stream once the queue has room for them.
        if (webhook.backlog_from !== null && sequence >= webhook.backlog_from) return;
        if ((await enqueueJob(event, webhook, server)) !== "waits") return;
        await backlogs.add({ webhookId: webhook.id, sequence });
        onBacklog();
      };
      await Promise.all(webhooks.map(settle));
    },
  });
}
