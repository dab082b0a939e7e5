import { gatewayPaths } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { connectGateway } from "@parley/testing/gateway-client";
import { z } from "zod";
import { bench } from "../bench.js";
import { ascending, check, clockMs, percentilesInWords, report, sendSteadily, timer } from "../measure.js";
import { createPoster, type Post } from "../poster.js";
import { connectQuietServer } from "../quiet-server.js";
import { type BenchStack, withStack } from "../stack.js";
import { type Bot, createRoom, insertBots, insertIds } from "../world.js";

interface Rate {
  perSecond: number;
  seconds: number;
}

/** The first rate is for processes that have just started. */
const rates: readonly Rate[] = [
  { perSecond: 200, seconds: 15 },
  { perSecond: 200, seconds: 20 },
  { perSecond: 1_000, seconds: 10 },
];
/** Enough that none waits for another's answer before it is sent. */
export const socketsMax = 1_024;
/** An interaction without an answer fails within this. */
const endedWithinMs = 60_000;
const Id = z.object({ id: z.string() });
const Frame = z.object({ t: z.string().nullable(), d: z.record(z.string(), z.unknown()).nullable() });

/**
 * Interactions with a bot on one of two gateways, whose invoker is on the other, at rates of the goals; each is answered
 * with a message of the channel. Another server's messages beside.
 */
export default bench(
  { sizes: { channels: 20, rates }, quick: { channels: 2, rates: [{ perSecond: 20, seconds: 2 }] } },
  (sizes) =>
    withStack({}, async (stack) => {
      const world = await startWorld(stack, sizes.channels);
      // The first requests warm up.
      await world.measure({ perSecond: 50, seconds: 3 });
      const alone = await world.quiet.measure(timer((sizes.rates.at(-1)?.seconds ?? 0) * 1_000));
      report(`another server's messages alone: ${percentilesInWords(alone.deliveredMs)}`);
      for (const rate of sizes.rates) {
        const { result, quiet } = await world.quiet.beside(() => world.measure(rate));
        const { begun, answered, failed, pressMs } = result;
        check(`interactions at ${rate.perSecond}/s without an end`, begun - answered - failed, 0);
        report(
          `${rate.perSecond}/s: ${begun} begun, ${answered} answered, ${failed} failed; press to answer seen ${percentilesInWords(pressMs)}  (goal: 150); another server's messages ${percentilesInWords(quiet.deliveredMs)}`,
        );
      }
      world.close();
    }),
);

/** Connects a bot that answers each interaction with a message. */
export type ConnectBot = (bot: Bot, gateway: { url: string }, answer: Post) => Promise<{ terminate(): void }>;

const connectOwn: ConnectBot = ({ token }, { url }, answer) =>
  follow(url, `bot_token=${token}&v=2&events=INTERACTION_CREATE`, ({ id, token: secret }) => {
    const body = { type: "message", data: { content: "e4" } };
    answer(`/interactions/${String(id)}/${String(secret)}/answer`, body).catch(() => undefined);
  });

/** Two apis and two gateways, the bot on one and the invoker on the other. */
export async function startWorld(stack: BenchStack, channels: number, connectBot: ConnectBot = connectOwn) {
  const [one, other] = [await stack.start("api"), await stack.start("api")];
  const [first, second] = [await stack.start("gateway"), await stack.start("gateway")];
  const room = await createRoom(stack.pool, 2);
  const [bot] = await insertBots(stack.pool, room, 1);
  if (bot === undefined) throw new Error("No bot was made.");
  const [commandId] = await insertIds(
    stack.pool,
    `INSERT INTO app_commands (bot_id, position, name, description, context, options)
      SELECT id, 0, 'play', 'Plays', 'server', '[]' FROM bots WHERE user_id = $1 RETURNING id`,
    bot.userId,
  );
  const channelIds = await insertIds(
    stack.pool,
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'c' || n, n FROM generate_series(1, $2::int) n RETURNING id",
    room.serverId,
    channels,
  );
  const [ask, answer] = [createPoster(one.url, socketsMax), createPoster(other.url, socketsMax)];
  const ended = new Map<string, { state: string; at: number }>();
  const invoker = room.userIds[1] ?? "";
  const clients = [
    await connectBot(bot, first, answer),
    await follow(
      second.url,
      `${stack.socketPath(invoker).split("?")[1]}&v=2&events=INTERACTION_UPDATE`,
      ({ id, state }) => ended.set(String(id), { state: String(state), at: clockMs() }),
    ),
  ];
  const quiet = await connectQuietServer(stack, one, [first, second]);
  return {
    quiet,
    services: [one, other, first, second],
    /** Begins interactions at a steady rate, and prints their results. */
    async measure({ perSecond, seconds }: Rate) {
      const begunAt = new Map<string, number>();
      await sendSteadily({ perSecond, isDone: timer(seconds * 1_000) }, async (n) => {
        const from = clockMs();
        const path = `/channels/${channelIds[n % channels]}/interactions`;
        const body = { bot_user_id: bot.userId, command_id: commandId };
        begunAt.set(Id.parse(await ask(path, body, stack.headers(invoker))).id, from);
      });
      const isEnded = () => [...begunAt.keys()].every((id) => ended.has(id));
      await waitUntil(isEnded, { timeoutMs: endedWithinMs }).catch(() => undefined);
      const states = [...begunAt].map(([id, from]) => ({ from, ...ended.get(id) }));
      const answered = states.filter(({ state }) => state === "answered");
      return {
        begun: begunAt.size,
        answered: answered.length,
        failed: states.filter(({ state }) => state === "failed").length,
        pressMs: ascending(answered.map(({ from, at = from }) => at - from)),
      };
    },
    close() {
      quiet.close();
      for (const client of clients) client.terminate();
    },
  };
}

/** Connects for one kind of event, and calls `onEvent` with the payload of each. */
async function follow(url: string, query: string, onEvent: (payload: Record<string, unknown>) => void) {
  const client = connectGateway(url, "", {
    path: gatewayPaths[0],
    query,
    onFrame(frame) {
      const { t, d } = Frame.parse(JSON.parse(frame));
      if (t?.startsWith("INTERACTION_") && d !== null) onEvent(d);
    },
  });
  await client.ready;
  return client;
}
