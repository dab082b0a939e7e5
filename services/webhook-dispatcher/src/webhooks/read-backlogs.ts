import { subjects } from "@parley/contracts";
import { isUnavailable } from "@parley/database";
import { type DeliveryQueue, type Messaging, readStored, storedRange } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import { retryAfterOutageMs } from "../attempts/limits.js";
import type { Backlog, BacklogRows } from "./backlog-rows.js";
import { type EnqueueJob, readEvent, type WebhookEvent } from "./enqueue-job.js";
import { backlogEndPauseMs, backlogEventsMax, backlogIdleMs, backlogPauseMs, backlogsAtOnceMax } from "./limits.js";

interface Options {
  messaging: Messaging;
  queue: Pick<DeliveryQueue, "room">;
  enqueueJob: EnqueueJob;
  backlogs: BacklogRows;
  logger: Logger;
}

/**
 * Reads the events of webhooks whose share of the queue was full from the stream, as far as the queue has room for
 * them, each backlog in turn.
 *
 * States of a webhook:
 *
 * - without a backlog: its jobs are enqueued as events are consumed
 * - growing → when an event of a quick webhook finds no room: from that event on, all its events are left to the
 * backlog
 * - ending → once the backlog was read to the end of the stream: events that are consumed from then on are enqueued as
 * before
 * - without a backlog → once it was read to the present end of the stream. An event that was left to the backlog was
 * consumed, and so stored, before the backlog was ending, so none remains.
 *
 * Two turns may enqueue the same job, or a turn and the consumption of events; the queue recognises the second one.
 */
export function readBacklogs(options: Options) {
  const { backlogs, logger } = options;
  const turns = new Set<Promise<void>>();
  let closed = false;
  let failing = false;
  let wakeUp: () => void = () => undefined;

  const takeTurn = async (backlog: Backlog) => {
    try {
      await readBacklog(options, backlog);
    } catch (error) {
      if (!isUnavailable(error)) logger.warn({ err: error, webhook_id: backlog.id }, "a backlog could not be read yet");
      const next = { from: backlog.from, growing: true, pauseMs: retryAfterOutageMs };
      // If this fails, too, its lease expires.
      await backlogs.release(backlog, next).catch(() => undefined);
    }
  };

  const look = async () => {
    const due = turns.size < backlogsAtOnceMax ? await backlogs.claim(backlogsAtOnceMax - turns.size) : [];
    for (const backlog of due) {
      const turn = takeTurn(backlog).finally(() => turns.delete(turn));
      turns.add(turn);
    }
    return due.length;
  };

  const run = async () => {
    let busy = false;
    while (!closed) {
      try {
        busy = (await look()) > 0 || turns.size > 0 || busy;
        failing = false;
      } catch (error) {
        if (!failing) logger.warn({ err: error }, "backlogs cannot be looked for");
        failing = true;
      }
      const pauseMs = busy && !failing ? backlogPauseMs : backlogIdleMs;
      busy = turns.size > 0;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wakeUp = () => {
          busy = true;
          if (pauseMs === backlogPauseMs) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };

  const running = run();
  return {
    /** Looks for backlogs that are due soon. */
    wake: () => wakeUp(),
    /** Resolves when the backlogs that are being read have had their turn. */
    async close() {
      closed = true;
      wakeUp();
      await running;
      await Promise.all(turns);
    },
  };
}

/** One turn of a backlog. */
async function readBacklog({ messaging, queue, enqueueJob, backlogs }: Options, backlog: Backlog): Promise<void> {
  const { from, growing, slow } = backlog;
  const server = { id: backlog.server_id, webhookIds: backlog.server_webhook_ids };
  // A slow webhook drops events without room, so it waits for none.
  const room = slow ? backlogEventsMax : await queue.room(backlog.id, server);
  if (room === 0) {
    await backlogs.release(backlog, { from, growing: true, pauseMs: backlogPauseMs });
    return;
  }
  const eventsMax = Math.min(room, backlogEventsMax);
  const { lastSequence } = await storedRange(messaging);
  const events: { sequence: number; event: WebhookEvent | null }[] = [];
  const filter = subjects.storedMessagesOf(server.id);
  await readStored(messaging, { from, to: lastSequence, filter, eventsMax }, (read) => {
    if (read.stored !== null) events.push({ sequence: read.stored.sequence, event: readEvent(read) });
  });
  const outcomes = await Promise.all(
    events.map(({ event }) => (event === null ? "settled" : enqueueJob(event, backlog, server))),
  );
  const firstWaiting = events[outcomes.indexOf("waits")];
  const next = firstWaiting?.sequence ?? (events.at(-1)?.sequence ?? from - 1) + 1;
  if (firstWaiting !== undefined || events.length === eventsMax) {
    await backlogs.release(backlog, {
      from: next,
      growing: true,
      pauseMs: firstWaiting === undefined ? 0 : backlogPauseMs,
    });
  } else if (growing || !(await backlogs.end(backlog))) {
    await backlogs.release(backlog, { from: next, growing: false, pauseMs: backlogEndPauseMs });
  }
}
