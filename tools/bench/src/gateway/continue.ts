import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "@parley/local-stack";
import type pg from "pg";
import type { NumberedAnswers } from "../clients/numbered-protocol.js";
import {
  type ClientStart,
  type Continued,
  type NumberedReaders,
  startNumberedReaders,
} from "../clients/numbered-readers.js";
import { sum } from "../clients/readers.js";
import { delaysBetween, expectedOf, type Received, receivedOf } from "../clients/received.js";
import { clockMs } from "../clock.js";
import { cpuSeconds, familyCpuSeconds } from "../processes.js";
import { type BenchStack, withPool } from "../stack.js";
import { databaseMs, recordStatements } from "../statement-times.js";
import { type Audience, audiencesOf, createCommunity, gatewayPathsOf } from "../world.js";
import { type Floor, measureFloor } from "./floor.js";
import { type ConnectionMemory, measureNumberedMemory } from "./memory.js";
import { startPublisher } from "./publisher.js";
import type { GatewaySizes } from "./sizes.js";

/** Processor seconds of the surviving gateway, of all clients, and of PostgreSQL, Redis and NATS. */
interface Processors {
  gateway: number;
  clients: number;
  servers: number;
}

export interface ContinueRun {
  memory: { unnumbered: ConnectionMemory; numbered: ConnectionMemory };
  continued: Continued;
  /** Of the database, for all statements of that time, and of the gateway's processor; per connection. */
  eachMs: { database: number; cpu: number };
  /** Of that time. */
  processors: Processors;
  /** Events that each of those who continue got in that time. */
  eventsEach: number;
  /** The same clients at a server that only writes as many events to each. */
  floors: Floor[];
  received: Received;
  /** Delays at the other gateway's own clients: of events before the death, and while the others continue; ascending. */
  calmMs: Float64Array;
  meanwhileMs: Float64Array;
}

/** Processes of the clients of the gateway that dies. */
const crowdProcesses = 2;

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
    const [crowd, own] = [startNumberedReaders(crowdProcesses), startNumberedReaders(1)];
    try {
      await own.connect(other.port, clients.slice(lonely));
      await crowd.connect(dying.port, clients.slice(0, lonely));
      const audiences = await audiencesOf(pool, userIds);
      const run = await killUnderTraffic({ stack, pool, sizes, audiences, dying, other, crowd, own });
      await Promise.all([crowd.stop(), own.stop(), other.stop()]);
      return { memory: weighed, ...run, floors: await measureFloors(clients.slice(0, lonely), run.eventsEach) };
    } finally {
      await Promise.all([crowd.stop(), own.stop(), other.stop()]);
    }
  });
}

async function measureFloors(clients: readonly ClientStart[], eventsEach: number): Promise<Floor[]> {
  const options = { events: Math.round(eventsEach), processes: crowdProcesses };
  return [
    await measureFloor(clients, { ...options, writes: "one" }),
    await measureFloor(clients, { ...options, writes: "each" }),
  ];
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

async function killUnderTraffic(scene: Scene): Promise<Omit<ContinueRun, "memory" | "floors">> {
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
      eventsEach: countBetween(ofCrowd, startedAt, endedAt) / outcome.continued.answeredMs.length,
      received: receivedOf(audiences, sentAt.length, [...ofOwn, ...ofCrowd], outcome.continued.begunAnew),
      calmMs: delaysBetween(ofOwn, sentAt, { from: 0, to: killedAt }),
      meanwhileMs: delaysBetween(ofOwn, sentAt, { from: startedAt, to: endedAt }),
    };
  } finally {
    await publisher.close();
  }
}

async function killAndContinue(scene: Scene) {
  const { pool, sizes, dying, other, crowd } = scene;
  const { calmMs, afterMs } = sizes.continue;
  await pause(calmMs);
  const killedAt = clockMs();
  await dying.kill();
  const before = { database: await databaseMs(pool), ...(await processorsOf(scene)) };
  const continued = await crowd.continue(other.port);
  const after = { database: await databaseMs(pool), ...(await processorsOf(scene)) };
  await pause(afterMs);
  const answered = continued.answeredMs.length;
  const processors = {
    gateway: after.gateway - before.gateway,
    clients: after.clients - before.clients,
    servers: after.servers - before.servers,
  };
  const eachMs = {
    database: (after.database - before.database) / answered,
    cpu: (processors.gateway / answered) * 1_000,
  };
  return { killedAt, continued, eachMs, processors };
}

async function processorsOf({ stack, other, crowd, own }: Scene): Promise<Processors> {
  const { postgres, redis, nats } = stack.servers;
  const [gateway, database, ...others] = await Promise.all([
    cpuSeconds(other.pid()),
    familyCpuSeconds(postgres.pid()),
    cpuSeconds(redis.pid()),
    cpuSeconds(nats.pid()),
  ]);
  const clients = await Promise.all([...crowd.pids, ...own.pids].map(cpuSeconds));
  return { gateway, clients: sum(clients), servers: sum([database, ...others]) };
}

function countBetween(arrivals: readonly NumberedAnswers["collect"][], from: number, to: number): number {
  return sum(arrivals.map(({ arrivedAt }) => arrivedAt.filter((at) => at >= from && at <= to).length));
}
