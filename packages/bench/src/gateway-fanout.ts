import { type Contestant, type ContestantName, contestantNames, startContestant } from "./gateway-contestants.js";
import { cpuSeconds } from "./gateway-process.js";
import { type Publisher, startPublisher } from "./gateway-publisher.js";
import { type Delivery, type Readers, startReaders } from "./gateway-readers.js";
import type { GatewaySizes } from "./gateway-sizes.js";
import { createRoom } from "./gateway-world.js";
import { median, report } from "./measure.js";
import { type BenchStack, withPool } from "./stack.js";

const readerProcesses = 2;

export interface FanOutRun {
  name: ContestantName;
  delivery: Delivery;
  /** Frames per second, from the first event's publishing to the last frame's arrival. */
  perSecond: number;
  /** Frames per second of the server's processor time. */
  perCpuSecond: number;
}

/** Many events to many sockets, faster than any of the servers writes them one by one. */
export async function measureFanOut(stack: BenchStack, { fanout, rounds }: GatewaySizes): Promise<FanOutRun[]> {
  const room = await withPool(stack, (pool) => createRoom(pool, fanout.users));
  const publisher = await startPublisher(stack.natsUrl);
  const runs: FanOutRun[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of contestantNames) {
        const contestant = await startContestant(stack, name, room);
        const readers = startReaders(readerProcesses);
        try {
          await readers.connect(contestant, fanout.sockets);
          const { perSecond } = fanout;
          runs.push({
            name,
            ...(await run({ contestant, readers, publisher, perSecond, events: fanout.events[name] })),
          });
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

async function run(options: {
  contestant: Contestant;
  readers: Readers;
  publisher: Publisher;
  perSecond: number;
  events: number;
}): Promise<Omit<FanOutRun, "name">> {
  const { contestant, readers, publisher, perSecond, events } = options;
  await readers.begin(contestant, { body: publisher.body, timed: false });
  const cpuBefore = await cpuSeconds(contestant.pid);
  const sentAt = await publisher.publish(contestant, { perSecond, isDone: (published) => published >= events });
  const delivery = await readers.finish(sentAt);
  const cpu = (await cpuSeconds(contestant.pid)) - cpuBefore;
  const seconds = (delivery.lastAt - (sentAt[0] ?? Number.NaN)) / 1_000;
  return { delivery, perSecond: delivery.counted / seconds, perCpuSecond: delivery.counted / cpu };
}

export function reportFanOut(runs: readonly FanOutRun[], { fanout, rounds }: GatewaySizes): void {
  const offered = fanout.sockets * fanout.perSecond;
  report(`fan-out: ${fanout.sockets} sockets, ${fanout.perSecond} events/s (${offered} frames/s offered), 350 bytes`);
  const rate = (name: ContestantName, key: "perSecond" | "perCpuSecond") =>
    median(runs.filter((each) => each.name === name).map((each) => each[key]));
  for (const name of contestantNames) {
    const deliveries = runs.filter((each) => each.name === name).map(({ delivery }) => delivery);
    report(
      `  ${name.padEnd(10)} ${rate(name, "perSecond").toFixed(0)} frames/s, ${rate(name, "perCpuSecond").toFixed(0)} per processor second  (median of ${rounds}; ${deliveriesInWords(deliveries)})`,
    );
  }
  for (const rival of ["naive ws", "socket.io"] as const) {
    const ratio = (key: "perSecond" | "perCpuSecond") => (rate("gateway", key) / rate(rival, key)).toFixed(1);
    report(
      `  gateway / ${rival}: ${ratio("perSecond")}, per processor second ${ratio("perCpuSecond")}${rival === "naive ws" ? "  (goal: 8)" : ""}`,
    );
  }
}

/** `n of m frames, k of l sockets complete` over some deliveries. */
export function deliveriesInWords(deliveries: readonly Delivery[]): string {
  const total = (key: "counted" | "expected" | "complete" | "sockets") =>
    deliveries.reduce((sum, delivery) => sum + delivery[key], 0);
  return `${total("counted")} of ${total("expected")} frames, ${total("complete")} of ${total("sockets")} sockets complete`;
}
