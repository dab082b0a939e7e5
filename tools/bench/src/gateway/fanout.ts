import type { Delivery } from "../clients/clients.js";
import { median, report } from "../measure.js";
import type { BenchStack } from "../stack.js";
import { type ContestantName, contestantNames } from "./contestants.js";
import { deliver, deliveriesInWords, inRounds, upTo } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

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
  const runs = await inRounds(stack, { rounds, clientProcesses: 2, ...fanout }, async (arena, name) => {
    const run = async (offered: number, events: number): Promise<FanOutRun> => {
      const { delivery, sentAt, cpu } = await deliver(arena, {
        perSecond: offered,
        isDone: upTo(events),
        timed: false,
      });
      const seconds = (delivery.lastAt - sentAt) / 1_000;
      const { counted } = delivery;
      return { name, offered, delivery, perSecond: counted / seconds, perCpuSecond: counted / cpu };
    };
    const common = await run(fanout.perSecond, fanout.events[name]);
    return name === "gateway" ? [common, await run(fanout.ceilingPerSecond, fanout.ceilingEvents)] : [common];
  });
  return runs.flat();
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
