import type { Delivery } from "../clients/readers.js";
import { median, percentile, report } from "../measure.js";
import type { BenchStack } from "../stack.js";
import { type ContestantName, contestantNames } from "./contestants.js";
import { deliveriesInWords } from "./fanout.js";
import type { Route } from "./publisher.js";
import { inRounds } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

const routes = ["core", "stream"] as const;

export interface LatencyRun {
  name: ContestantName;
  route: Route;
  delivery: Delivery;
}

/** What an event's way takes while there is little to do. */
export async function measureLatency(stack: BenchStack, { latency, rounds }: GatewaySizes): Promise<LatencyRun[]> {
  const { sockets, perSecond, events } = latency;
  const size = { rounds, users: sockets, sockets, readerProcesses: 1 };
  const runs = await inRounds(stack, size, async ({ name, contestant, readers, publisher }) => {
    const run = async (route: Route) => {
      await readers.begin(contestant, { body: publisher.body, timed: true });
      const isDone = (published: number) => published >= events;
      const sentAt = await publisher.publish(contestant, { perSecond, isDone, route });
      return { name, route, delivery: await readers.finish(sentAt) };
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
    for (const route of routes) {
      const deliveries = runs.filter((run) => run.name === name && run.route === route).map((run) => run.delivery);
      const value = (share: number) => median(deliveries.map(({ delaysMs }) => percentile(delaysMs, share)));
      const goal = name === "gateway" && route === "core" ? "; goals: 1 and 5" : "";
      report(
        `  ${name.padEnd(10)} ${route.padEnd(6)} p50 ${value(0.5).toFixed(2)} ms  p99 ${value(0.99).toFixed(2)} ms  (median of ${rounds}${goal}; ${deliveriesInWords(deliveries)})`,
      );
    }
  }
}
