import type { Delivery } from "../clients/clients.js";
import { median, percentile, report } from "../measure.js";
import type { BenchStack } from "../stack.js";
import { type ContestantName, contestantNames } from "./contestants.js";
import type { Route } from "./publisher.js";
import { deliver, deliveriesInWords, inRounds, upTo } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

export interface LatencyRun {
  name: ContestantName;
  route: Route;
  delivery: Delivery;
}

/** What an event's way takes while there is little to do. */
export async function measureLatency(stack: BenchStack, { latency, rounds }: GatewaySizes): Promise<LatencyRun[]> {
  const { sockets, perSecond, events } = latency;
  const size = { rounds, users: sockets, sockets, clientProcesses: 1 };
  const runs = await inRounds(stack, size, async (arena, name) => {
    const run = async (route: Route) => {
      const { delivery } = await deliver(arena, { perSecond, isDone: upTo(events), route });
      return { name, route, delivery };
    };
    // The first run warms up.
    await run("stream");
    return [await run("core"), await run("stream")];
  });
  return runs.flat();
}

export function reportLatency(runs: readonly LatencyRun[], { latency, rounds }: GatewaySizes): void {
  report(`latency: ${latency.perSecond} events/s to ${latency.sockets} sockets`);
  report("  from the publisher's call to the reader's read, both processes included:");
  report(
    "  core: through NATS to the server; stream: stored on disk by JetStream and republished before that, as messages are",
  );
  for (const name of contestantNames) {
    for (const route of ["core", "stream"]) {
      const deliveries = runs.filter((run) => run.name === name && run.route === route).map((run) => run.delivery);
      const value = (share: number) => median(deliveries.map(({ delaysMs }) => percentile(delaysMs, share))).toFixed(2);
      const goal = name === "gateway" && route === "core" ? "; goals: 1 and 5" : "";
      report(
        `  ${name.padEnd(10)} ${route.padEnd(6)} p50 ${value(0.5)} ms  p99 ${value(0.99)} ms  (median of ${rounds}${goal}; ${deliveriesInWords(deliveries)})`,
      );
    }
  }
}
