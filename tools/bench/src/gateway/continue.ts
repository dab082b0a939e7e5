import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "@parley/local-stack";
import { Clients, type Collected, type Continued } from "../clients/clients.js";
import { delaysBetween, expectedOf, receivedOf } from "../clients/received.js";
import { clockMs, percentile, report, sum } from "../measure.js";
import { cpuSeconds, familyCpuSeconds } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { databaseMs, recordStatements } from "../statement-times.js";
import { type Audience, audiencesOf, createCommunity } from "../world.js";
import { resumableDialect } from "./contestants.js";
import { measureFloor } from "./floor.js";
import { measureMemory, reportMemory } from "./memory.js";
import { startPublisher } from "./publisher.js";
import type { GatewaySizes } from "./sizes.js";

export type ContinueRun = Awaited<ReturnType<typeof measureContinue>>;

/** Processes of the clients of the gateway that dies. */
const crowdProcesses = 2;

/** A gateway dies under traffic; its clients continue on another one, which has clients of its own. */
export async function measureContinue(stack: BenchStack, sizes: GatewaySizes) {
  const { community, watchers } = sizes.continue;
  await recordStatements(stack);
  const memory = await measureMemory(stack, sizes.continue.memory);
  const userIds = await createCommunity(stack.pool, community);
  const paths = userIds.map((userId) => stack.socketPath(userId));
  const lonely = paths.length - watchers;
  const [dying, other] = [await stack.start("gateway"), await stack.start("gateway")];
  const [crowd, own] = [new Clients(crowdProcesses), new Clients(1)];
  const stop = () => Promise.all([crowd.stop(), own.stop(), other.stop()]);
  try {
    await own.connect({ port: other.port, dialect: resumableDialect }, paths.slice(lonely), { first: lonely });
    await crowd.connect({ port: dying.port, dialect: resumableDialect }, paths.slice(0, lonely));
    const audiences = await audiencesOf(stack.pool, userIds);
    const run = await killUnderTraffic({ stack, sizes, audiences, dying, other, crowd, own });
    await stop();
    const options = { paths: paths.slice(0, lonely), events: Math.round(run.eventsEach), processes: crowdProcesses };
    /** The same clients at a server that only writes as many events to each. */
    const floors = [
      await measureFloor({ ...options, writes: "one" }),
      await measureFloor({ ...options, writes: "each" }),
    ];
    return { memory, ...run, floors };
  } finally {
    await stop();
  }
}

interface Scene {
  stack: BenchStack;
  sizes: GatewaySizes;
  audiences: readonly Audience[];
  dying: ServerProcess;
  other: ServerProcess;
  /** The clients of the gateway that dies, and of the other. */
  crowd: Clients;
  own: Clients;
}

async function killUnderTraffic(scene: Scene) {
  const { stack, sizes, audiences, crowd, own } = scene;
  const publisher = await startPublisher(stack.servers.nats.url);
  try {
    await Promise.all([crowd.begin({}), own.begin({})]);
    let isOver = false;
    const pace = { perSecond: sizes.continue.perSecond, isDone: () => isOver };
    const publishing = publisher.publishNumbered(audiences, pace);
    const { killedAt, ...outcome } = await killAndContinue(scene).finally(() => {
      isOver = true;
    });
    const sentAt = await publishing;
    const expected = expectedOf(audiences, sentAt.length);
    const countOf = (client: number) => expected.get(client)?.length ?? 0;
    const [ofOwn, ofCrowd] = await Promise.all([own.collect(countOf), crowd.collect(countOf)]);
    const { startedAt, endedAt, answeredMs, begunAnew } = outcome.continued;
    return {
      ...outcome,
      /** Events that each of those who continue got in that time. */
      eventsEach: countBetween(ofCrowd, startedAt, endedAt) / answeredMs.length,
      received: receivedOf(expected, audiences.length, [...ofOwn, ...ofCrowd], begunAnew),
      /** Delays at the other gateway's own clients: of events before the death, and while the others continue; ascending. */
      calmMs: delaysBetween(ofOwn, sentAt, { from: 0, to: killedAt }),
      meanwhileMs: delaysBetween(ofOwn, sentAt, { from: startedAt, to: endedAt }),
    };
  } finally {
    await publisher.close();
  }
}

async function killAndContinue(scene: Scene) {
  const { dying, other, crowd } = scene;
  const { calmMs, afterMs } = scene.sizes.continue;
  await pause(calmMs);
  const killedAt = clockMs();
  await dying.kill();
  const before = await timesOf(scene);
  const continued = await crowd.continue(other.port);
  const after = await timesOf(scene);
  await pause(afterMs);
  const spent = (part: keyof typeof before) => after[part] - before[part];
  const answered = continued.answeredMs.length;
  return {
    killedAt,
    continued,
    /** Of the database, for all statements of that time, and of the gateway's processor; per connection. */
    eachMs: { database: spent("databaseMs") / answered, cpu: (spent("gateway") / answered) * 1_000 },
    /** Processor seconds of that time. */
    processors: { gateway: spent("gateway"), clients: spent("clients"), servers: spent("servers") },
  };
}

/** Milliseconds of the database, and processor seconds of the surviving gateway, of all clients, and of the servers. */
async function timesOf({ stack, other, crowd, own }: Scene) {
  const { postgres, redis, nats } = stack.servers;
  const servers = [familyCpuSeconds(postgres.pid()), cpuSeconds(redis.pid()), cpuSeconds(nats.pid())];
  return {
    databaseMs: await databaseMs(stack.pool),
    gateway: await cpuSeconds(other.pid()),
    clients: sum(await Promise.all([...crowd.pids, ...own.pids].map(cpuSeconds))),
    servers: sum(await Promise.all(servers)),
  };
}

function countBetween(collected: readonly Collected[], from: number, to: number): number {
  return sum(collected.map(({ arrivedAt }) => arrivedAt.filter((at) => at >= from && at <= to).length));
}

export function reportContinue(run: ContinueRun, { continue: size }: GatewaySizes): void {
  const { continued, eachMs, received } = run;
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
  reportFloors(run);
  const [before, meanwhile] = [run.calmMs, run.meanwhileMs];
  const delay = (delays: Float64Array) =>
    `p50 ${percentile(delays, 0.5).toFixed(1)} ms p99 ${percentile(delays, 0.99).toFixed(1)} ms`;
  report(
    `  meanwhile  events to ${watchers} clients of the other gateway: ${delay(meanwhile)}, before ${delay(before)}, ratio of p99 ${(percentile(meanwhile, 0.99) / percentile(before, 0.99)).toFixed(1)}  (goal: 2, or 15 ms; ${meanwhile.length} and ${before.length} deliveries)`,
  );
  report(
    `  events     ${received.expected} expected, ${received.lost} lost, ${received.repeated} repeated, ${received.unordered} out of order, ${received.foreign} of servers of others  (goal: 0 each); ${received.skipped} not sent to those who got READY`,
  );
  reportMemory(run.memory, size.memory.sockets);
}

/** What the machine's processors did, and what the same clients get from a server that only writes. */
function reportFloors({ continued, eachMs, eventsEach, floors, processors }: ContinueRun): void {
  const seconds = ({ answeredMs }: Continued) => percentile(answeredMs, 1) / 1_000;
  const { gateway, clients, servers } = processors;
  report(
    `  processors gateway ${gateway.toFixed(1)} s, its clients ${clients.toFixed(1)} s, PostgreSQL, Redis and NATS ${servers.toFixed(1)} s, of ${availableParallelism()} times ${seconds(continued).toFixed(1)} s`,
  );
  for (const floor of floors) {
    const writes = floor.writes === "one" ? "in one write" : "in a write each";
    report(
      `  floor      bare ws, the same clients, ${Math.round(eventsEach)} events to each ${writes}: ${seconds(floor.continued).toFixed(2)} s and ${floor.cpuEachMs.toFixed(2)} ms of its processor; the gateway takes ${(seconds(continued) / seconds(floor.continued)).toFixed(1)} and ${(eachMs.cpu / floor.cpuEachMs).toFixed(1)} times as much`,
    );
  }
}
