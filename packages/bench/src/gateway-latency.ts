import { type ContestantName, contestantNames, startContestant } from "./gateway-contestants.js";
import { deliveriesInWords } from "./gateway-fanout.js";
import { type Route, startPublisher } from "./gateway-publisher.js";
import { type Delivery, startReaders } from "./gateway-readers.js";
import type { GatewaySizes } from "./gateway-sizes.js";
import { createRoom } from "./gateway-world.js";
import { median, percentile, report } from "./measure.js";
import { type BenchStack, withPool } from "./stack.js";

const routes = ["core", "stream"] as const;

export interface LatencyRun {
  name: ContestantName;
  route: Route;
  delivery: Delivery;
}

/** What an event's way takes while there is little to do. */
export async function measureLatency(stack: BenchStack, { latency, rounds }: GatewaySizes): Promise<LatencyRun[]> {
  const room = await withPool(stack, (pool) => createRoom(pool, latency.sockets));
  const publisher = await startPublisher(stack.natsUrl);
  const runs: LatencyRun[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of contestantNames) {
        const contestant = await startContestant(stack, name, room);
        const readers = startReaders(1);
        try {
          await readers.connect(contestant, latency.sockets);
          // The first run warms up.
          for (const route of ["stream", ...routes] as const) {
            await readers.begin(contestant, { body: publisher.body, timed: true });
            const { perSecond, events } = latency;
            const isDone = (published: number) => published >= events;
            const sentAt = await publisher.publish(contestant, { perSecond, isDone, route });
            runs.push({ name, route, delivery: await readers.finish(sentAt) });
          }
          runs.splice(-3, 1);
        } finally {
          await readers.stop();
          await contestant.stop();
        }
      }
    }
    return runs;
  } finally {
    await publisher.close();
  }
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
