import { type ContestantName, contestantNames, startContestant } from "./gateway-contestants.js";
import { deliveriesInWords } from "./gateway-fanout.js";
import { startPublisher } from "./gateway-publisher.js";
import { type Delivery, startReaders } from "./gateway-readers.js";
import type { GatewaySizes } from "./gateway-sizes.js";
import { createRoom } from "./gateway-world.js";
import { median, percentile, report } from "./measure.js";
import { type BenchStack, withPool } from "./stack.js";

const readerProcesses = 2;

export interface BurstRun {
  name: ContestantName;
  deliveries: Delivery[];
  /** Sockets per second, from the event's publishing to the last one's frame; median of the bursts. */
  perSecond: number;
  /** From the publishing to the socket at the 99th percentile; median of the bursts. */
  p99Ms: number;
}

/** One event to a great many sockets. */
export async function measureBurst(stack: BenchStack, { burst, rounds }: GatewaySizes): Promise<BurstRun[]> {
  const room = await withPool(stack, (pool) => createRoom(pool, burst.users));
  const publisher = await startPublisher(stack.natsUrl);
  const runs: BurstRun[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of contestantNames) {
        const contestant = await startContestant(stack, name, room);
        const readers = startReaders(readerProcesses);
        try {
          await readers.connect(contestant, burst.sockets);
          const deliveries: Delivery[] = [];
          const rates: number[] = [];
          // The first one warms up.
          for (let number = 0; number <= burst.bursts; number += 1) {
            await readers.begin(contestant, { body: publisher.body, timed: true });
            const isDone = (published: number) => published >= 1;
            const sentAt = await publisher.publish(contestant, { perSecond: 1, isDone });
            const delivery = await readers.finish(sentAt);
            if (number === 0) continue;
            deliveries.push(delivery);
            rates.push(delivery.counted / ((delivery.lastAt - (sentAt[0] ?? Number.NaN)) / 1_000));
          }
          const p99Ms = median(deliveries.map(({ delaysMs }) => percentile(delaysMs, 0.99)));
          runs.push({ name, deliveries, perSecond: median(rates), p99Ms });
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

export function reportBurst(runs: readonly BurstRun[], { burst, rounds }: GatewaySizes): void {
  report(`burst: one event to ${burst.sockets} sockets, 350 bytes, ${burst.bursts} times in each of ${rounds} rounds`);
  const value = (name: ContestantName, key: "perSecond" | "p99Ms") =>
    median(runs.filter((each) => each.name === name).map((each) => each[key]));
  for (const name of contestantNames) {
    const deliveries = runs.filter((each) => each.name === name).flatMap((each) => each.deliveries);
    report(
      `  ${name.padEnd(10)} ${value(name, "perSecond").toFixed(0)} frames/s, p99 ${value(name, "p99Ms").toFixed(1)} ms  (medians; ${deliveriesInWords(deliveries)})`,
    );
  }
  for (const rival of ["naive ws", "socket.io"] as const) {
    const ratio = (key: "perSecond" | "p99Ms") => (value("gateway", key) / value(rival, key)).toFixed(2);
    const goal = rival === "naive ws" ? "  (goals: at least 1.2; below 1)" : "";
    report(`  gateway / ${rival}: rate ${ratio("perSecond")}, p99 ${ratio("p99Ms")}${goal}`);
  }
}
