import { Histogram, type Registry } from "prom-client";
import { createGauges, type Gauges } from "../attempts/gauges.js";
import type { BotReply } from "./ask-bot.js";

/** Returns a function that counts the result of a request to a bot. */
export function createBotMetrics(registry: Registry): (reply: BotReply) => void {
  const requests = new Histogram({
    name: "interaction_request_duration_seconds",
    help: "Requests to bots by outcome, from dialling to the end of the answer: later is a 204, expired was not sent",
    labelNames: ["outcome"] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
    registers: [registry],
  });
  return ({ outcome, durationMs }) => requests.observe({ outcome }, durationMs / 1000);
}

/** Gauges of the requests of this process. */
export function observeBots({ registry, scheduler }: { registry: Registry; scheduler: Gauges }): void {
  const gauge = createGauges(registry);
  gauge("interaction_requests_running", "Requests to bots under way", () => scheduler.running);
  gauge("interaction_requests_waiting", "Requests to bots that wait for their turn", () => scheduler.waiting);
}
