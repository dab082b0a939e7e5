import { waitUntil } from "@parley/testing";
import { WebSocket } from "ws";
import { bench } from "../bench.js";
import { check, clockMs, median, percentile, percentilesInWords, report } from "../measure.js";
import { createPoster } from "../poster.js";
import { cpuSecondsOf, familyCpuSeconds, memoryOf } from "../processes.js";
import { type BenchStack, withStack } from "../stack.js";
import { roundTrips } from "../statements.js";
import { createRoom, insertBots } from "../world.js";
import { type ConnectBot, socketsMax, startWorld } from "./interactions.js";

const guilds = 1;
const readyWithinMs = 120_000;
/** Gateways end connections that they hear nothing of. */
const heartbeatMs = 30_000;

/** A payload of Discord's gateway, as far as the benchmark reads it. */
interface Payload {
  readonly op: number;
  readonly t: string | null;
  readonly d: { readonly id: string; readonly token: string };
}

/**
 * A bot over Discord's API: what an interaction costs more than over Parley's (docs/discord.md#figures), how many a second
 * are answered, and how long a bot of many servers waits for all of them. Both ways are measured in turn, as the machine
 * may be shared; processor time and statements of each are told for the same reason. The bot asks for servers alone, as the
 * guides' bots with commands do; `--intents=53608447` for one that also hears every message.
 */
export default bench(
  {
    sizes: { rounds: 5, perSecond: 100, seconds: 8, most: 1_000, mostSeconds: 10, servers: 10_000, intents: guilds },
    quick: { rounds: 1, perSecond: 20, seconds: 2, most: 20, mostSeconds: 2, servers: 50, intents: guilds },
  },
  (sizes) =>
    withStack({}, async (stack) => {
      const { rounds, perSecond, seconds, most, mostSeconds } = sizes;
      const own = await startWorld(stack, 20);
      const discord = await stack.start("discord");
      const over = await startWorld(stack, 20, connectOver(discord.url, sizes.intents));
      const services = [...own.services, ...over.services, discord];
      const measure = async (world: typeof own, rate: { perSecond: number; seconds: number }) => {
        const before = await used(stack, services);
        const result = await world.measure(rate);
        const after = await used(stack, services);
        const { begun, answered, failed, pressMs } = result;
        check(`interactions at ${rate.perSecond}/s without an end`, begun - answered - failed, 0);
        const [ms, statements] = after.map((each, index) => (each - (before[index] ?? 0)) / begun);
        const cost = `${ms?.toFixed(1)} ms of processors and ${statements?.toFixed(1)} statements each`;
        return { pressMs, text: `${answered} of ${begun} answered, ${percentilesInWords(pressMs)}, ${cost}` };
      };
      for (const world of [own, over]) await world.measure({ perSecond: 50, seconds: 3 });
      const added: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const direct = await measure(own, { perSecond, seconds });
        const through = await measure(over, { perSecond, seconds });
        added.push(percentile(through.pressMs, 0.99) - percentile(direct.pressMs, 0.99));
        report(`${perSecond}/s: Parley ${direct.text}; Discord ${through.text}`);
      }
      report(`added at p99, median of ${rounds}: ${median(added).toFixed(1)} ms  (goal: 15)`);
      for (const [name, world] of Object.entries({ Parley: own, Discord: over })) {
        report(`${most}/s: ${name} ${(await measure(world, { perSecond: most, seconds: mostSeconds })).text}`);
      }
      for (const world of [own, over]) world.close();
      await measureServers(stack, sizes.servers);
    }),
);

/** Processor milliseconds of all servers and services, and statements, so far. */
async function used({ pool, servers }: BenchStack, services: readonly { pid: () => number }[]): Promise<number[]> {
  const { postgres, redis, nats } = servers;
  const seconds = (await cpuSecondsOf([...services, redis, nats])) + (await familyCpuSeconds(postgres.pid()));
  return [seconds * 1_000, (await roundTrips({ pool, servers })).statements];
}

/** A client of Discord's gateway; resolves with READY. */
async function connect(url: string, token: string, intents: number, onDispatch: (payload: Payload) => void) {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/discord/gateway/?v=10&encoding=json`);
  let isReady = false;
  const heartbeat = setInterval(() => socket.send(JSON.stringify({ op: 1, d: null })), heartbeatMs);
  socket.on("close", () => clearInterval(heartbeat));
  socket.on("message", (data) => {
    const payload = JSON.parse(String(data)) as Payload;
    const identity = { token, intents, properties: {} };
    if (payload.op === 10) socket.send(JSON.stringify({ op: 2, d: identity }));
    isReady ||= payload.t === "READY";
    if (payload.op === 0) onDispatch(payload);
  });
  await waitUntil(() => isReady, { timeoutMs: readyWithinMs, what: "READY" });
  return socket;
}

const connectOver = (url: string, intents: number): ConnectBot => {
  const post = createPoster(`${url}/discord/api/v10`, socketsMax);
  return ({ token }) =>
    connect(url, token, intents, ({ t, d }) => {
      if (t !== "INTERACTION_CREATE") return;
      post(`/interactions/${d.id}/${d.token}/callback`, { type: 4, data: { content: "e4" } }).catch(() => undefined);
    });
};

/** A bot that is in many servers, of a few channels and roles each, in a process of its own. */
async function measureServers(stack: BenchStack, servers: number): Promise<void> {
  const room = await createRoom(stack.pool, 1);
  const [bot] = await insertBots(stack.pool, room, 1);
  if (bot === undefined) throw new Error("No bot was made.");
  await stack.pool.query(
    `WITH made AS (
        INSERT INTO servers (name, owner_id) SELECT 'server ' || n, $1 FROM generate_series(1, $3::integer) n RETURNING id),
      joined AS (INSERT INTO members (server_id, user_id) SELECT id, account FROM made, unnest(ARRAY[$1::uuid, $2::uuid]) AS account),
      roles AS (INSERT INTO roles (server_id, name, position) SELECT id, 'role ' || n, n FROM made, generate_series(1, 5) n)
      INSERT INTO channels (server_id, name, position) SELECT id, 'channel-' || n, n FROM made, generate_series(1, 10) n`,
    [room.userIds[0], bot.userId, servers - 1],
  );
  await stack.pool.query("ANALYZE");
  const { pid, url } = await stack.start("discord");
  let got = 0;
  const from = clockMs();
  let largest = 0;
  const watch = setInterval(async () => {
    largest = Math.max(largest, (await memoryOf(pid())).resident);
  }, 100);
  const socket = await connect(url, bot.token, guilds, ({ t }) => {
    if (t === "GUILD_CREATE") got += 1;
  });
  const readyMs = clockMs() - from;
  await waitUntil(() => got >= servers, { timeoutMs: readyWithinMs, what: "the last server" });
  const wholeMs = clockMs() - from;
  clearInterval(watch);
  check("servers", got, servers);
  report(
    `${servers} servers: READY after ${(readyMs / 1_000).toFixed(1)} s, the last server after ${(wholeMs / 1_000).toFixed(1)} s  (goal: 20); ` +
      `${(largest / 1e6).toFixed(0)} MB at most  (goal: 250)`,
  );
  socket.terminate();
}
