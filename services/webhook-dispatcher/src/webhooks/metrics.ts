import { type Messaging, queuedDeliveries } from "@parley/messaging";
import { Counter, Histogram, type Registry } from "prom-client";
import { createGauges, type Gauges } from "../attempts/gauges.js";
import type { BacklogRows } from "./backlog-rows.js";
import type { AttemptOutcome } from "./deliver.js";

/** Why a delivery ended: with an answer of 2xx, after its last attempt, or without one. */
export type DeliveryEnd = "delivered" | "failed" | "queue_full" | "webhook_deleted" | "webhook_disabled" | "unreadable";

/** Counters of the results of deliveries. */
export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

export function createDeliveryMetrics(registry: Registry) {
  const registers = [registry];
  const ends = new Counter({
    name: "webhook_deliveries_total",
    help: "Deliveries that ended, by how",
    labelNames: ["outcome"] as const,
    registers,
  });
  const queuedTotal = new Counter({
    name: "webhook_deliveries_queued_total",
    help: "Deliveries put into the queue because of an event",
    registers,
  });
  const attempts = new Histogram({
    name: "webhook_attempt_duration_seconds",
    help: "Attempts by outcome, from dialling to the end of the answer's headers",
    labelNames: ["outcome"] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return {
    ended: (outcome: DeliveryEnd) => ends.inc({ outcome }),
    queued: () => queuedTotal.inc(),
    attempted: ({ ok, durationMs }: AttemptOutcome) =>
      attempts.observe({ outcome: ok ? "success" : "failure" }, durationMs / 1000),
  };
}

/** Gauges of how much is going on, here and in the queue. */
export function observeDeliveries(options: {
  registry: Registry;
  messaging: Messaging;
  /** Gauges of the jobs in this process. */
  scheduler: Gauges;
  backlogs: Pick<BacklogRows, "count">;
}): void {
  const { registry, messaging, scheduler, backlogs } = options;
  const gauge = createGauges(registry);
  gauge("webhook_attempts_running", "Attempts under way", () => scheduler.running);
  gauge("webhook_jobs_waiting", "Jobs that wait in this process for their turn", () => scheduler.waiting);
  gauge("webhook_queue_jobs", "Jobs in the shared queue, those under way and waiting for a retry included", async () =>
    messaging.connected ? queuedDeliveries(messaging) : undefined,
  );
  gauge(
    "webhook_backlogs",
    "Quick webhooks whose events wait in the stream because their share of the queue was full",
    () => backlogs.count(),
  );
}
