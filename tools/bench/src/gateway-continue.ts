import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "@parley/local-stack";
import type pg from "pg";
import { clockMs } from "./gateway-clock.js";
import { type ConnectionMemory, measureNumberedMemory } from "./gateway-numbered-memory.js";
import { type Continued, type NumberedReaders, startNumberedReaders } from "./gateway-numbered-readers.js";
import { cpuSeconds } from "./gateway-process.js";
import { startPublisher } from "./gateway-publisher.js";
import { delaysBetween, expectedOf, type Received, receivedOf } from "./gateway-received.js";
import type { GatewaySizes } from "./gateway-sizes.js";
import { type Audience, audiencesOf, createCommunity, gatewayPathsOf } from "./gateway-world.js";
import { percentile, report } from "./measure.js";
import { type BenchStack, withPool } from "./stack.js";
import { databaseMs, recordStatements } from "./statement-times.js";

const kilobyte = 1_024;

export interface ContinueRun {
  memory: { unnumbered: ConnectionMemory; numbered: ConnectionMemory };
  continued: Continued;
  /** Of the database, for all statements of that time, and of the gateway's processor; per connection. */
  eachMs: { database: number; cpu: number };
  received: Received;
  /** Delays at the other gateway's own clients: of events before the death, and while the others continue; ascending. */
  calmMs: Float64Array;
  meanwhileMs: Float64Array;
}

/** A gateway dies under traffic; its clients continue on another one, which has clients of its own. */
export async function measureContinue(stack: BenchStack, sizes: GatewaySizes): Promise<ContinueRun> {
  const { community, watchers, memory } = sizes.continue;
  await recordStatements(stack);
  return withPool(stack, async (pool) => {
    const weighed = await measureNumberedMemory(stack, pool, memory);
    const userIds = await createCommunity(pool, community);
    const clients = gatewayPathsOf(stack.jwtSecret, userIds).map((path, number) => ({ number, path }));
    const lonely = clients.length - watchers;
    const [dying, other] = [await stack.start("gateway"), await stack.start("gateway")];
    const [crowd, own] = [startNumberedReaders(2), startNumberedReaders(1)];
    try {
      await own.connect(other.port, clients.slice(lonely));
      await crowd.connect(dying.port, clients.slice(0, lonely));
      const audiences = await audiencesOf(pool, userIds);
      const run = await killUnderTraffic({ stack, pool, sizes, audiences, dying, other, crowd, own });
      return { memory: weighed, ...run };
    } finally {
      await Promise.all([crowd.stop(), own.stop()]);
      await other.stop();
    }
  });
}

interface Scene {
  stack: BenchStack;
  pool: pg.Pool;
  sizes: GatewaySizes;
  audiences: readonly Audience[];
  dying: ServerProcess;
  other: ServerProcess;
  /** The clients of the gateway that dies, and of the other. */
  crowd: NumberedReaders;
  own: NumberedReaders;
}

async function killUnderTraffic(scene: Scene): Promise<Omit<ContinueRun, "memory">> {
  const { stack, sizes, audiences, crowd, own } = scene;
  const publisher = await startPublisher(stack.natsUrl);
  try {
    let isOver = false;
    const publishing = publisher.publishNumbered(audiences, {
      perSecond: sizes.continue.perSecond,
      isDone: () => isOver,
    });
    const { killedAt, ...outcome } = await killAndContinue(scene).finally(() => {
      isOver = true;
    });
    const sentAt = await publishing;
    const expected = expectedOf(audiences, sentAt.length);
    const [ofOwn, ofCrowd] = await Promise.all([own.collect(expected), crowd.collect(expected)]);
    const { startedAt, endedAt } = outcome.continued;
    return {
      ...outcome,
      received: receivedOf(audiences, sentAt.length, [...ofOwn, ...ofCrowd], outcome.continued.begunAnew),
      calmMs: delaysBetween(ofOwn, sentAt, { from: 0, to: killedAt }),
      meanwhileMs: delaysBetween(ofOwn, sentAt, { from: startedAt, to: endedAt }),
    };
  } finally {
    await publisher.close();
  }
}

async function killAndContinue({ pool, sizes, dying, other, crowd }: Scene) {
  const { calmMs, afterMs } = sizes.continue;
  await pause(calmMs);
  const killedAt = clockMs();
  await dying.kill();
  const before = { database: await databaseMs(pool), cpu: await cpuSeconds(other.pid()) };
  const continued = await crowd.continue(other.port);
  const answered = continued.answeredMs.length;
  const eachMs = {
    database: ((await databaseMs(pool)) - before.database) / answered,
    cpu: (((await cpuSeconds(other.pid())) - before.cpu) / answered) * 1_000,
  };
  await pause(afterMs);
  return { killedAt, continued, eachMs };
}

export function reportContinue(run: ContinueRun, { continue: size }: GatewaySizes): void {
  const { continued, eachMs, received, memory } = run;
  const { community, watchers, perSecond } = size;
  report(
    `continue: ${community.users - watchers} numbered connections with ${community.serversPerUser} servers each, their gateway killed under ${perSecond} messages/s`,
  );
  const { RESUMED = 0, ...others } = continued.answers;
  const reasons = Object.entries(others).map(([reason, times]) => `, ${times} READY (${reason})`);
  const seconds = (share: number) => (percentile(continued.answeredMs, share) / 1_000).toFixed(2);
  report(
    `  continued  all after ${seconds(1)} s from the first reconnect  (goal: 5), half of them after ${seconds(0.5)} s; ${RESUMED} RESUMED${reasons.length === 0 ? ", 0 READY" : reasons.join("")}, ${continued.cut} cut and tried again, ${continued.failed} failed`,
  );
  report(
    `  cost each  database ${eachMs.database.toFixed(3)} ms  (goal: 0.5; every statement of that time), ${eachMs.cpu.toFixed(2)} ms of the gateway's processor`,
  );
  const [before, meanwhile] = [run.calmMs, run.meanwhileMs];
  const delay = (delays: Float64Array) =>
    `p50 ${percentile(delays, 0.5).toFixed(1)} ms p99 ${percentile(delays, 0.99).toFixed(1)} ms`;
  report(
    `  meanwhile  events to ${watchers} clients of the other gateway: ${delay(meanwhile)}, before ${delay(before)}, ratio of p99 ${(percentile(meanwhile, 0.99) / percentile(before, 0.99)).toFixed(1)}  (goal: 2, or 15 ms; ${meanwhile.length} and ${before.length} deliveries)`,
  );
  report(
    `  events     ${received.expected} expected, ${received.lost} lost, ${received.repeated} repeated, ${received.unordered} out of order, ${received.foreign} of servers of others  (goal: 0 each); ${received.skipped} not sent to those who got READY`,
  );
  reportMemory(memory, size.memory.sockets);
}

function reportMemory({ unnumbered, numbered }: ContinueRun["memory"], sockets: number): void {
  const inKilobytes = (bytes: number) => (bytes / kilobyte).toFixed(2);
  const compared = (key: keyof ConnectionMemory) =>
    `${inKilobytes(numbered[key])} KB numbered, ${inKilobytes(unnumbered[key])} KB without, ${inKilobytes(numbered[key] - unnumbered[key])} KB more`;
  report(
    `  memory     each of ${sockets} that wait, garbage collected: in use ${compared("used")}  (goal: 1); RSS ${compared("resident")}`,
  );
}
