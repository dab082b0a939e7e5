import { createHash, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { gatewayPaths } from "@parley/contracts";
import { connectGateway } from "@parley/testing/gateway-client";
import { z } from "zod";
import { ascending, clockMs, percentilesInWords, report, sendSteadily, timer } from "./measure.js";
import { createPoster, type Post } from "./poster.js";
import { type BenchStack, withStack } from "./stack.js";
import { createRoom, type Room } from "./world.js";

/** How much is asked of the bot. */
export interface InteractionSizes {
  perSecond: number;
  seconds: number;
  /** Channels that the interactions are spread over. */
  channels: number;
}

/** The first is what processes do that have just started. */
const rates: readonly InteractionSizes[] = [
  { perSecond: 200, seconds: 15, channels: 20 },
  { perSecond: 200, seconds: 20, channels: 20 },
  { perSecond: 1_000, seconds: 10, channels: 20 },
];
export const quickSizes: InteractionSizes = { perSecond: 20, seconds: 2, channels: 2 };

/**
 * Interactions with a bot on one of two gateways, whose invoker is on the other, at rates of the goals; each is answered with a
 * message of the channel. Another server's messages beside.
 *
 * @param options `--quick` for sizes that only show that it works
 */
export async function benchInteractions(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? [quickSizes] : rates;
  await withStack({}, async (stack) => {
    const world = await startWorld(stack);
    // The first requests warm up.
    await measureInteractions(world, { perSecond: 50, seconds: 3, channels: 5 });
    const aloneMs = await besideOf(world, () => pause((sizes.at(-1)?.seconds ?? 0) * 1_000));
    report(`another server's messages alone: ${percentilesInWords(aloneMs)}`);
    for (const each of sizes) {
      const { begun, answered, failed, pressMs, besideMs } = await measureInteractions(world, each);
      report(
        `${each.perSecond}/s: ${begun} begun, ${answered} answered, ${failed} failed, ${begun - answered - failed} lost; ` +
          `press to answer seen ${percentilesInWords(pressMs)}; another server's messages ${percentilesInWords(besideMs)}`,
      );
    }
    world.close();
  });
}

const Begun = z.object({ id: z.string() });
const Frame = z.object({ t: z.string().nullable(), d: z.record(z.string(), z.unknown()).nullable() });

/** Connects, and calls `onEvent` for each event. */
export async function follow(
  url: string,
  query: string,
  onEvent: (name: string, payload: Record<string, unknown>) => void,
) {
  const client = connectGateway(url, "", {
    path: gatewayPaths[0],
    query,
    onFrame(frame) {
      const { t, d } = Frame.parse(JSON.parse(frame));
      if (t !== null && d !== null) onEvent(t, d);
    },
  });
  await client.ready;
  return client;
}

/** A bot with one command in a room. */
async function insertBot({ pool }: BenchStack, { serverId, userIds }: Room) {
  const token = randomBytes(32).toString("hex");
  const hash = createHash("sha256").update(token).digest("hex");
  const userId = userIds[1] ?? "";
  const { rows } = await pool.query<{ id: string }>(
    `WITH bot AS (INSERT INTO bots (user_id, name, token_hash) VALUES ($1, 'bench', $2) RETURNING id)
    INSERT INTO app_commands (bot_id, position, name, description, context, options)
    SELECT id, 0, 'play', 'Plays', 'server', '[]' FROM bot RETURNING id`,
    [userId, hash],
  );
  return { token, userId, serverId, commandId: rows[0]?.id ?? "" };
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** Two apis and two gateways, the bot on one and the invoker on the other. */
export async function startWorld(stack: BenchStack) {
  const [one, other] = [await stack.start("api"), await stack.start("api")];
  const gateways = [await stack.start("gateway"), await stack.start("gateway")];
  const room = await createRoom(stack.pool, 3);
  const quiet = await createRoom(stack.pool, 2);
  const bot = await insertBot(stack, room);
  const channels = await stack.pool.query<{ id: string }>(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'c' || n, n FROM generate_series(1, 20) n RETURNING id",
    [room.serverId],
  );
  const [ask, answer]: [Post, Post] = [createPoster(one.url), createPoster(other.url)];
  const ended = new Map<string, { state: string; at: number }>();
  const seen = new Map<string, number>();
  const onInteraction = (name: string, { id, token }: Record<string, unknown>) => {
    if (name !== "INTERACTION_CREATE") return;
    const body = { type: "message", data: { content: "e4" } };
    answer(`/interactions/${String(id)}/${String(token)}/answer`, body).catch(() => undefined);
  };
  const onUpdate = (name: string, { id, state }: Record<string, unknown>) => {
    if (name === "INTERACTION_UPDATE") ended.set(String(id), { state: String(state), at: clockMs() });
  };
  const onQuiet = (name: string, { id }: Record<string, unknown>) => {
    if (name === "MESSAGE_CREATE") seen.set(String(id), clockMs());
  };
  const queryOf = (userId = "") => `${stack.socketPath(userId, "&v=2").split("?")[1] ?? ""}`;
  const [first = "", second = ""] = gateways.map(({ url }) => url);
  const clients = [
    await follow(first, `bot_token=${bot.token}&v=2&events=INTERACTION_CREATE`, onInteraction),
    await follow(second, `${queryOf(room.userIds[2])}&events=INTERACTION_UPDATE`, onUpdate),
    await follow(second, `${queryOf(quiet.userIds[1])}&events=MESSAGE_CREATE`, onQuiet),
  ];
  return {
    ask,
    ended,
    seen,
    quiet,
    body: { bot_user_id: bot.userId, command_id: bot.commandId },
    channelIds: channels.rows.map(({ id }) => id),
    invoker: stack.headers(room.userIds[2] ?? ""),
    writer: stack.headers(quiet.userIds[0] ?? ""),
    close() {
      for (const client of clients) client.terminate();
    },
  };
}

/** What {@link besideOf} sends with: when the messages of a room were seen, by their ids. */
export type Quiet = Pick<World, "ask" | "quiet" | "seen" | "writer">;

/** Another server's messages while something else goes on: from request to event, ascending. */
export async function besideOf(world: Quiet, work: () => Promise<unknown>) {
  const besideMs: number[] = [];
  let isOver = false;
  const beside = sendSteadily({ perSecond: 10, isDone: () => isOver }, async () => {
    const from = clockMs();
    const answer = await world.ask(`/channels/${world.quiet.channelId}/messages`, { content: "quiet" }, world.writer);
    const { id } = Begun.parse(answer);
    while (!world.seen.has(id)) await pause(1);
    besideMs.push((world.seen.get(id) ?? from) - from);
  });
  await work();
  isOver = true;
  await beside;
  return ascending(besideMs);
}

/** Begins interactions at a steady rate, and says what became of them. */
export async function measureInteractions(world: World, { perSecond, seconds, channels }: InteractionSizes) {
  const begunAt = new Map<string, number>();
  const besideMs = await besideOf(world, async () => {
    await sendSteadily({ perSecond, isDone: timer(seconds * 1_000) }, async (number) => {
      const from = clockMs();
      const channelId = world.channelIds[number % channels] ?? "";
      const answer = await world.ask(`/channels/${channelId}/interactions`, world.body, world.invoker);
      begunAt.set(Begun.parse(answer).id, from);
    });
    // The last ones are answered, or fail within this.
    const isLate = timer(5_000);
    while (!isLate() && [...begunAt.keys()].some((id) => !world.ended.has(id))) await pause(20);
  });
  const states = [...begunAt].map(([id, from]) => ({ from, ...world.ended.get(id) }));
  const answered = states.filter(({ state }) => state === "answered");
  return {
    begun: begunAt.size,
    answered: answered.length,
    failed: states.filter(({ state }) => state === "failed").length,
    pressMs: ascending(answered.map(({ from, at = from }) => at - from)),
    besideMs,
  };
}
