import type pg from "pg";
import { z } from "zod";
import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { deliver } from "../clients/deliver.js";
import { check, percentile, ratio, report, upTo } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import { startPublisher } from "../publisher.js";
import { withStack } from "../stack.js";
import { recordStatements, statistics } from "../statements.js";
import { createCommunity, createRoom } from "../world.js";

const community = { serversPerUser: 20, channelsPerServer: 10, messagesPerChannel: 5, directMessagesPerUser: 20 };
const sizes = {
  users: 10_000,
  servers: 2_000,
  /** Connections opened one after the other, for the database's time. */
  single: 300,
  watchers: 100,
  perSecond: 100,
  calmEvents: 1_000,
  inFlight: 256,
};
const quick = { users: 24, servers: 20, single: 5, watchers: 10, calmEvents: 20, inFlight: 8 };

/** READY for users with many servers, channels and direct messages: one by one, at full rate, and all at once. */
export default bench({ sizes, quick }, ({ users, servers, single, watchers, perSecond, calmEvents, inFlight }) =>
  withStack({}, async (stack) => {
    await recordStatements(stack);
    const room = await createRoom(stack.pool, watchers);
    const userIds = await createCommunity(stack.pool, { ...community, users, servers });
    const paths = userIds.map((userId) => stack.socketPath(userId));
    const [gateway, publisher] = [await stack.start("gateway"), await startPublisher(stack.servers.nats.url)];
    const [watching, crowd] = [new Clients(1), new Clients(1)];
    const arrive = async (own: readonly string[], atOnce: number) => {
      const { readyMs, failed } = await crowd.tryConnect([gateway], own, { inFlight: atOnce });
      check("connections that failed", failed, 0);
      return { ready: readyMs.length, lastMs: readyMs.at(-1) ?? Number.NaN, p50Ms: percentile(readyMs, 0.5) };
    };
    report(
      `${users} users with ${community.serversPerUser} servers, ${community.serversPerUser * community.channelsPerServer} channels, ${community.directMessagesPerUser} direct messages each`,
    );

    // The first ones fill the caches and let PostgreSQL plan the statement once and for all.
    await arrive(paths.slice(0, single), 1);
    await crowd.disconnect();
    await stack.pool.query(`SELECT ${statistics}_reset()`);
    await arrive(paths.slice(0, single), 1);
    const { readyMs, leastMs, connectMs } = await readDatabase(stack.pool, single);
    await crowd.disconnect();
    report(
      `  database   ${readyMs.toFixed(2)} ms per READY  (goal: 3; mean of ${single}, one after the other; least ${leastMs.toFixed(2)}), ${connectMs.toFixed(2)} ms with every other statement of that time`,
    );

    await watching.connect(
      [gateway],
      room.userIds.map((userId) => stack.socketPath(userId)),
    );
    const payloadBytes = Buffer.byteLength(publisher.body);
    const watch = (isDone: (published: number) => boolean) =>
      deliver(watching, [gateway], () => publisher.publish(room, { perSecond, isDone }), { payloadBytes });
    const calm = await watch(upTo(calmEvents));
    const cpuBefore = await cpuSeconds(gateway.pid());
    const steady = await arrive(paths, inFlight);
    const cpuMs = (((await cpuSeconds(gateway.pid())) - cpuBefore) / steady.ready) * 1_000;
    report(
      `  steady     ${((steady.ready / steady.lastMs) * 1_000).toFixed(0)} READY/s  (goal: 500; ${inFlight} on their way at a time), p50 ${steady.p50Ms.toFixed(0)} ms from the start, ${cpuMs.toFixed(2)} ms of the gateway's processor each`,
    );

    let isOver = false;
    const meanwhile = watch(() => isOver);
    // The server learns of the ends and of the new connections at the same time.
    await crowd.disconnect();
    const storm = await arrive(paths, paths.length).finally(() => {
      isOver = true;
    });
    report(
      `  storm      all READY after ${(storm.lastMs / 1_000).toFixed(1)} s  (goal: 30), half of them after ${(storm.p50Ms / 1_000).toFixed(1)} s`,
    );
    const [before, stormy] = [calm, await meanwhile].map(({ delaysMs }) => percentile(delaysMs, 0.99)) as [
      number,
      number,
    ];
    report(
      `  meanwhile  events to ${watchers} connected sockets at ${perSecond}/s: p99 ${stormy.toFixed(1)} ms, before ${before.toFixed(1)} ms, ratio ${ratio(stormy, before, 1)}  (goal: 2)`,
    );
    await Promise.all([watching.stop(), crowd.stop(), publisher.close()]);
  }),
);

const Statistics = z.object({
  readyMs: z.number(),
  leastMs: z.number(),
  calls: z.coerce.number(),
  totalMs: z.number(),
});

async function readDatabase(pool: pg.Pool, connections: number) {
  const { rows } = await pool.query(
    `SELECT sum(total_exec_time) FILTER (WHERE is_ready) / ${connections} AS "readyMs",
        sum(calls) FILTER (WHERE is_ready) AS calls, min(min_exec_time) FILTER (WHERE is_ready) AS "leastMs",
        sum(total_exec_time) AS "totalMs"
      FROM (
        SELECT *, starts_with(query, 'SELECT /* READY */') AS is_ready
        FROM ${statistics} WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      ) s`,
  );
  const { readyMs, leastMs, calls, totalMs } = Statistics.parse(rows[0]);
  check("statements of READY", calls, connections);
  return { readyMs, leastMs, connectMs: totalMs / connections };
}
