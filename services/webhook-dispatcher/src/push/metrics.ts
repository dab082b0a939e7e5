import { Counter, Histogram, type Registry } from "prom-client";
import { createGauges, type Gauges } from "../attempts/gauges.js";
import type { DeviceOutcome } from "./outcome-rows.js";
import type { ServicePauses } from "./service-pauses.js";

/** The end of a claimed push: `again` is tried again, `silent` had nothing left to send. */
const pushEnds = ["taken", "again", "given_up", "silent"] as const;
type PushEnd = (typeof pushEnds)[number];

/** Counters of the results of pushes. */
export type PushMetrics = ReturnType<typeof createPushMetrics>;

export function createPushMetrics(registry: Registry) {
  const registers = [registry];
  const attempts = new Histogram({
    name: "push_attempt_duration_seconds",
    help: "Pushes by what the push service said: taken, failing, gone (no such device); from dialling to the end of the answer's headers",
    labelNames: ["outcome"] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const ends = new Counter({
    name: "pushes_total",
    help: "Claimed pushes by how they ended: taken, again (is tried again), given_up, silent (no longer to be told)",
    labelNames: ["outcome"] as const,
    registers,
  });
  // From the beginning, so that the first one is an increase.
  for (const outcome of pushEnds) ends.inc({ outcome }, 0);
  return {
    attempted: (outcome: DeviceOutcome, durationMs: number) => attempts.observe({ outcome }, durationMs / 1000),
    ended: (outcome: PushEnd) => ends.inc({ outcome }),
  };
}

/** Gauges of how much is going on, here and for all. */
export function observePushes(options: {
  registry: Registry;
  /** Gauges of the pushes of this process. */
  scheduler: Gauges;
  pauses: Pick<ServicePauses, "count">;
  /** Seconds for which the oldest push of all has been due. */
  oldest: () => Promise<number>;
}): void {
  const { registry, scheduler, pauses, oldest } = options;
  const gauge = createGauges(registry);
  gauge("push_attempts_running", "Pushes under way", () => scheduler.running);
  gauge("push_attempts_waiting", "Pushes that wait in this process for their turn", () => scheduler.waiting);
  gauge("push_services_paused", "Push services that hang and are left alone for a while", () => pauses.count);
  gauge("push_oldest_due_seconds", "For how long the push that has waited longest has been due", oldest);
}
