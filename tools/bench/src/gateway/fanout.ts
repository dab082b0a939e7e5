import type { Delivery } from "../clients/readers.js";
import { median, report } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { type ContestantName, contestantNames } from "./contestants.js";
import { type Arena, inRounds } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

const readerProcesses = 2;

export interface FanOutRun {
  name: ContestantName;
  /** Events that were published per second. */
  offered: number;
  delivery: Delivery;
  /** Frames per second, from the first event's publishing to the last frame's arrival. */
  perSecond: number;
  /** Frames per second of the server's processor time. */
  perCpuSecond: number;
}

/**
 * Many events to many sockets, faster than the rivals write them one by one; and to the gateway, which batches, twice:
 * the rate that all are offered, and one that shows where it ends.
 */
export async function measureFanOut(stack: BenchStack, { fanout, rounds }: GatewaySizes): Promise<FanOutRun[]> {
  const runs = await inRounds(stack, { rounds, readerProcesses, ...fanout }, async ({ name, ...arena }) => {
    const own = [{ name, ...(await run(arena, { offered: fanout.perSecond, events: fanout.events[name] })) }];
    if (name === "gateway") {
      own.push({ name, ...(await run(arena, { offered: fanout.ceilingPerSecond, events: fanout.ceilingEvents })) });
    }
    return own;
  });
  return runs.flat();
}

async function run(
  { contestant, readers, publisher }: Omit<Arena, "name">,
  { offered, events }: { offered: number; events: number },
): Promise<Omit<FanOutRun, "name">> {
  await readers.begin(contestant, { body: publisher.body, timed: false });
  const cpuBefore = await cpuSeconds(contestant.pid);
  const isDone = (published: number) => published >= events;
  const sentAt = await publisher.publish(contestant, { perSecond: offered, isDone });
  const delivery = await readers.finish(sentAt);
  const cpu = (await cpuSeconds(contestant.pid)) - cpuBefore;
  const seconds = (delivery.lastAt - (sentAt[0] ?? Number.NaN)) / 1_000;
  return { offered, delivery, perSecond: delivery.counted / seconds, perCpuSecond: delivery.counted / cpu };
}

export function reportFanOut(runs: readonly FanOutRun[], { fanout, rounds }: GatewaySizes): void {
  report(`fan-out: ${fanout.sockets} sockets, 350 bytes`);
  const { perSecond, ceilingPerSecond } = fanout;
  const of = (name: ContestantName, offered: number) =>
    runs.filter((each) => each.name === name && each.offered === offered);
  const rate = (name: ContestantName, offered: number, key: "perSecond" | "perCpuSecond") =>
    median(of(name, offered).map((each) => each[key]));
  const shown = [
    { name: "gateway", offered: ceilingPerSecond },
    ...contestantNames.map((name) => ({ name, offered: perSecond })),
  ] as const;
  for (const { name, offered } of shown) {
    const deliveries = of(name, offered).map(({ delivery }) => delivery);
    report(
      `  ${name.padEnd(10)} ${offered} events/s offered: ${rate(name, offered, "perSecond").toFixed(0)} frames/s, ${rate(name, offered, "perCpuSecond").toFixed(0)} per processor second  (median of ${rounds}; ${deliveriesInWords(deliveries)})`,
    );
  }
  for (const rival of ["naive ws", "socket.io"] as const) {
    for (const offered of [ceilingPerSecond, perSecond]) {
      const ratio = (key: "perSecond" | "perCpuSecond") =>
        (rate("gateway", offered, key) / rate(rival, perSecond, key)).toFixed(1);
      report(
        `  gateway at ${offered} events/s / ${rival}: ${ratio("perSecond")}, per processor second ${ratio("perCpuSecond")}${rival === "naive ws" ? "  (goal: 8)" : ""}`,
      );
    }
  }
}

/** `n of m frames, k of l sockets complete` over some deliveries. */
export function deliveriesInWords(deliveries: readonly Delivery[]): string {
  const total = (key: "counted" | "expected" | "complete" | "sockets") =>
    deliveries.reduce((sum, delivery) => sum + delivery[key], 0);
  return `${total("counted")} of ${total("expected")} frames, ${total("complete")} of ${total("sockets")} sockets complete`;
}
