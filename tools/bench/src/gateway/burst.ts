import type { Delivery } from "../clients/clients.js";
import { median, percentile, report, sum } from "../measure.js";
import type { BenchStack } from "../stack.js";
import { type ContestantName, contestantNames } from "./contestants.js";
import { deliver, deliveriesInWords, inRounds, upTo } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

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
  return inRounds(stack, { rounds, clientProcesses: 2, ...burst }, async (arena, name) => {
    const bursts: Awaited<ReturnType<typeof deliver>>[] = [];
    // The first one warms up.
    while (bursts.length <= burst.bursts) bursts.push(await deliver(arena, { perSecond: 1, isDone: upTo(1) }));
    const counted = bursts.slice(1);
    const deliveries = counted.map(({ delivery }) => delivery);
    return {
      name,
      deliveries,
      perSecond: median(counted.map(({ delivery, sentAt }) => delivery.counted / ((delivery.lastAt - sentAt) / 1_000))),
      p99Ms: median(deliveries.map(({ delaysMs }) => percentile(delaysMs, 0.99))),
      cpuMicros: (sum(counted.map(({ cpu }) => cpu)) / burst.bursts / burst.sockets) * 1e6,
    };
  });
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
