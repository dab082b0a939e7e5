import type pg from "pg";
import { z } from "zod";
import { Clients, type Delivery } from "../clients/clients.js";
import { percentile, report } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { recordStatements, statistics } from "../statement-times.js";
import { createCommunity, createRoom } from "../world.js";
import { type Contestant, startContestant } from "./contestants.js";
import { startPublisher } from "./publisher.js";
import { deliver, deliveriesInWords, upTo } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

export type ReadyRun = Awaited<ReturnType<typeof measureReady>>;

/** READY for users with many servers, channels and direct messages: alone, at full rate, and all at once. */
export async function measureReady(stack: BenchStack, { ready }: GatewaySizes) {
  await recordStatements(stack);
  const room = await createRoom(stack.pool, ready.watchers);
  const userIds = await createCommunity(stack.pool, ready.community);
  const paths = userIds.map((userId) => stack.socketPath(userId));
  const gateway = await startContestant(stack, "gateway", room);
  const publisher = await startPublisher(stack.servers.nats.url);
  const [watchers, crowd] = [new Clients(1), new Clients(1)];
  try {
    const database = await measureDatabase(stack.pool, gateway, crowd, paths.slice(0, ready.single));
    await watchers.connect(gateway, gateway.paths(ready.watchers));
    const watch = async (isDone: (published: number) => boolean): Promise<Delivery> => {
      const arena = { contestant: gateway, clients: watchers, publisher };
      return (await deliver(arena, { perSecond: ready.perSecond, isDone })).delivery;
    };
    const calm = await watch(upTo(ready.calmEvents));
    const cpuBefore = await cpuSeconds(gateway.pid);
    const steady = await arrivals(crowd, gateway, paths, ready.inFlight);
    const cpuMsEach = (((await cpuSeconds(gateway.pid)) - cpuBefore) / steady.ready) * 1_000;
    let isOver = false;
    const stormy = watch(() => isOver);
    // The server learns of the ends and of the new connections at the same time.
    await crowd.disconnect();
    const storm = await arrivals(crowd, gateway, paths, paths.length).finally(() => {
      isOver = true;
    });
    return {
      /** One connection after the other: the database's milliseconds per READY, and per connect with all statements. */
      database,
      /** A bounded number on their way at a time. */
      steady: { ...steady, cpuMsEach },
      /** All at once. */
      storm,
      /** Events to those who stay connected: before anything happens, and during the storm. */
      calm,
      stormy: await stormy,
    };
  } finally {
    await Promise.all([watchers.stop(), crowd.stop()]);
    await publisher.close();
    await gateway.stop();
  }
}

/** How many became READY, and when, from the first connect on. */
async function arrivals(crowd: Clients, gateway: Contestant, paths: readonly string[], inFlight: number) {
  const { readyMs, failed } = await crowd.tryConnect(gateway, paths, { inFlight });
  return { ready: readyMs.length, failed, lastMs: readyMs.at(-1) ?? Number.NaN, p50Ms: percentile(readyMs, 0.5) };
}

const Statistics = z.object({
  ready_ms: z.number(),
  least_ms: z.number(),
  calls: z.coerce.number(),
  total_ms: z.number(),
});

async function measureDatabase(pool: pg.Pool, gateway: Contestant, crowd: Clients, paths: readonly string[]) {
  // The first ones fill the caches and let PostgreSQL plan the statement once and for all.
  await crowd.tryConnect(gateway, paths, { inFlight: 1 });
  await crowd.disconnect();
  await pool.query(`SELECT ${statistics}_reset()`);
  await crowd.tryConnect(gateway, paths, { inFlight: 1 });
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
  const { users, serversPerUser, channelsPerServer, directMessagesPerUser } = ready.community;
  report(
    `ready: ${users} users with ${serversPerUser} servers, ${serversPerUser * channelsPerServer} channels, ${directMessagesPerUser} direct messages each`,
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
