import type { Delivery } from "../clients/readers.js";
import { median, percentile, report } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { type ContestantName, contestantNames } from "./contestants.js";
import { deliveriesInWords } from "./fanout.js";
import { type Arena, inRounds } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

const readerProcesses = 2;

export interface BurstRun {
  name: ContestantName;
  deliveries: Delivery[];
  /** Sockets per second, from the event's publishing to the last one's frame; median of the bursts. */
  perSecond: number;
  /** From the publishing to the socket at the 99th percentile; median of the bursts. */
  p99Ms: number;
  /** Microseconds of the server's processor per socket. */
  cpuMicros: number;
}

/** One event to a great many sockets. */
export function measureBurst(stack: BenchStack, { burst, rounds }: GatewaySizes): Promise<BurstRun[]> {
  return inRounds(stack, { rounds, readerProcesses, ...burst }, async ({ name, ...arena }) => {
    // The first one warms up.
    await publishOne(arena);
    const deliveries: Delivery[] = [];
    const rates: number[] = [];
    let cpu = 0;
    while (deliveries.length < burst.bursts) {
      const { delivery, sentAt, cpuSpent } = await publishOne(arena);
      deliveries.push(delivery);
      rates.push(delivery.counted / ((delivery.lastAt - sentAt) / 1_000));
      cpu += cpuSpent;
    }
    const p99Ms = median(deliveries.map(({ delaysMs }) => percentile(delaysMs, 0.99)));
    const cpuMicros = (cpu / burst.bursts / burst.sockets) * 1e6;
    return { name, deliveries, perSecond: median(rates), p99Ms, cpuMicros };
  });
}

async function publishOne({ contestant, readers, publisher }: Omit<Arena, "name">) {
  await readers.begin(contestant, { body: publisher.body, timed: true });
  const cpuBefore = await cpuSeconds(contestant.pid);
  const sentAt = await publisher.publish(contestant, { perSecond: 1, isDone: (published) => published >= 1 });
  const delivery = await readers.finish(sentAt);
  const cpuSpent = (await cpuSeconds(contestant.pid)) - cpuBefore;
  return { delivery, sentAt: sentAt[0] ?? Number.NaN, cpuSpent };
}

export function reportBurst(runs: readonly BurstRun[], { burst, rounds }: GatewaySizes): void {
  report(`burst: one event to ${burst.sockets} sockets, 350 bytes, ${burst.bursts} times in each of ${rounds} rounds`);
  const value = (name: ContestantName, key: "perSecond" | "p99Ms" | "cpuMicros") =>
    median(runs.filter((each) => each.name === name).map((each) => each[key]));
  for (const name of contestantNames) {
    const deliveries = runs.filter((each) => each.name === name).flatMap((each) => each.deliveries);
    report(
      `  ${name.padEnd(10)} ${value(name, "perSecond").toFixed(0)} frames/s, p99 ${value(name, "p99Ms").toFixed(1)} ms, ${value(name, "cpuMicros").toFixed(1)} µs of processor per socket  (medians; ${deliveriesInWords(deliveries)})`,
    );
  }
  for (const rival of ["naive ws", "socket.io"] as const) {
    const ratio = (key: "perSecond" | "p99Ms") => (value("gateway", key) / value(rival, key)).toFixed(2);
    const goal = rival === "naive ws" ? "  (goals: at least 1.2; below 1)" : "";
    report(`  gateway / ${rival}: rate ${ratio("perSecond")}, p99 ${ratio("p99Ms")}${goal}`);
  }
}
