import type pg from "pg";
import { z } from "zod";
import { type Delivery, type Readers, startReaders } from "../clients/readers.js";
import { percentile, report } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import { type BenchStack, withPool } from "../stack.js";
import { recordStatements, statistics } from "../statement-times.js";
import { createCommunity, createRoom, gatewayPathsOf } from "../world.js";
import { type Contestant, startContestant } from "./contestants.js";
import { deliveriesInWords } from "./fanout.js";
import { type Publisher, startPublisher } from "./publisher.js";
import type { GatewaySizes } from "./sizes.js";

/** How many became READY, and when. */
interface Arrivals {
  ready: number;
  failed: number;
  /** From the first connect to the last READY. */
  lastMs: number;
  p50Ms: number;
}

export interface ReadyRun {
  /** One connection after the other: the database's milliseconds per READY, and per connect with all statements. */
  database: { readyMs: number; leastMs: number; connectMs: number; calls: number };
  /** A bounded number on their way at a time. */
  steady: Arrivals & { cpuMsEach: number };
  /** All at once. */
  storm: Arrivals;
  /** Events to those who stay connected: before anything happens, and during the storm. */
  calm: Delivery;
  stormy: Delivery;
}

/** READY for users with many servers, channels and direct messages: alone, at full rate, and all at once. */
export async function measureReady(stack: BenchStack, { ready }: GatewaySizes): Promise<ReadyRun> {
  await recordStatements(stack);
  return withPool(stack, async (pool) => {
    const room = await createRoom(pool, ready.watchers);
    const userIds = await createCommunity(pool, ready.community);
    const paths = gatewayPathsOf(stack.jwtSecret, userIds);
    const gateway = await startContestant(stack, "gateway", room);
    const publisher = await startPublisher(stack.natsUrl);
    const [watchers, crowd] = [startReaders(1), startReaders(1)];
    try {
      const database = await measureDatabase(pool, { gateway, crowd, paths: paths.slice(0, ready.single) });
      await watchers.connect(gateway, ready.watchers);
      const watch = (isDone: (published: number) => boolean) =>
        measureEvents({ watchers, gateway, publisher, perSecond: ready.perSecond, isDone });
      const calm = await watch((published) => published >= ready.calmEvents);
      const cpuBefore = await cpuSeconds(gateway.pid);
      const steady = arrivalsOf(await crowd.connectPaths(gateway, paths, ready.inFlight));
      const cpuMsEach = (((await cpuSeconds(gateway.pid)) - cpuBefore) / steady.ready) * 1_000;
      let isOver = false;
      const stormy = watch(() => isOver);
      const storm = await reconnect(crowd, gateway, paths).finally(() => {
        isOver = true;
      });
      return { database, steady: { ...steady, cpuMsEach }, storm, calm, stormy: await stormy };
    } finally {
      await Promise.all([watchers.stop(), crowd.stop()]);
      await publisher.close();
      await gateway.stop();
    }
  });
}

/** The server learns of the ends and of the new connections at the same time. */
async function reconnect(crowd: Readers, gateway: Contestant, paths: readonly string[]): Promise<Arrivals> {
  await crowd.disconnect();
  return arrivalsOf(await crowd.connectPaths(gateway, paths, paths.length));
}

function arrivalsOf({ readyMs, failed }: { readyMs: Float64Array; failed: number }): Arrivals {
  return { ready: readyMs.length, failed, lastMs: readyMs.at(-1) ?? Number.NaN, p50Ms: percentile(readyMs, 0.5) };
}

async function measureEvents(options: {
  watchers: Readers;
  gateway: Contestant;
  publisher: Publisher;
  perSecond: number;
  isDone: (published: number) => boolean;
}): Promise<Delivery> {
  const { watchers, gateway, publisher, perSecond, isDone } = options;
  await watchers.begin(gateway, { body: publisher.body, timed: true });
  return watchers.finish(await publisher.publish(gateway, { perSecond, isDone }));
}

const Statistics = z.object({
  ready_ms: z.number(),
  least_ms: z.number(),
  calls: z.coerce.number(),
  total_ms: z.number(),
});

async function measureDatabase(
  pool: pg.Pool,
  { gateway, crowd, paths }: { gateway: Contestant; crowd: Readers; paths: readonly string[] },
): Promise<ReadyRun["database"]> {
  // The first ones fill the caches and let PostgreSQL plan the statement once and for all.
  await crowd.connectPaths(gateway, paths, 1);
  await crowd.disconnect();
  await pool.query(`SELECT ${statistics}_reset()`);
  await crowd.connectPaths(gateway, paths, 1);
  const { rows } = await pool.query(
    `SELECT sum(total_exec_time) FILTER (WHERE is_ready) / ${paths.length} AS ready_ms,
        sum(calls) FILTER (WHERE is_ready) AS calls, min(min_exec_time) FILTER (WHERE is_ready) AS least_ms,
        sum(total_exec_time) AS total_ms
      FROM (
        SELECT *, starts_with(query, 'SELECT /* READY */') AS is_ready
        FROM ${statistics} WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      ) s`,
  );
  await crowd.disconnect();
  const { ready_ms, least_ms, calls, total_ms } = Statistics.parse(rows[0]);
  return { readyMs: ready_ms, leastMs: least_ms, connectMs: total_ms / paths.length, calls };
}

export function reportReady(run: ReadyRun, { ready }: GatewaySizes): void {
  const { community } = ready;
  const channels = community.serversPerUser * community.channelsPerServer;
  report(
    `ready: ${community.users} users with ${community.serversPerUser} servers, ${channels} channels, ${community.directMessagesPerUser} direct messages each`,
  );
  const { database, steady, storm, calm, stormy } = run;
  report(
    `  database   ${database.readyMs.toFixed(2)} ms per READY  (goal: 3; mean; ${database.calls} statements, one after the other; least ${database.leastMs.toFixed(2)}), ${database.connectMs.toFixed(2)} ms with every other statement of that time`,
  );
  const rate = (steady.ready / steady.lastMs) * 1_000;
  report(
    `  steady     ${rate.toFixed(0)} READY/s  (goal: 500; ${ready.inFlight} on their way at a time, ${steady.ready} ready, ${steady.failed} failed), p50 ${steady.p50Ms.toFixed(0)} ms from the start, ${steady.cpuMsEach.toFixed(2)} ms of the gateway's processor each`,
  );
  report(
    `  storm      all READY after ${(storm.lastMs / 1_000).toFixed(1)} s  (goal: 30; ${storm.ready} ready, ${storm.failed} failed), half of them after ${(storm.p50Ms / 1_000).toFixed(1)} s`,
  );
  const p99 = (delivery: Delivery) => percentile(delivery.delaysMs, 0.99);
  report(
    `  meanwhile  events to ${ready.watchers} connected sockets at ${ready.perSecond}/s: p99 ${p99(stormy).toFixed(1)} ms, before ${p99(calm).toFixed(1)} ms, ratio ${(p99(stormy) / p99(calm)).toFixed(1)}  (goal: 2; ${deliveriesInWords([calm, stormy])})`,
  );
}
