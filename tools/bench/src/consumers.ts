import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { z } from "zod";
import { median, reportHead, reportRow, sendSteadily, timer } from "./measure.js";
import { createPoster, type Post } from "./poster.js";
import { startReceiver } from "./receiver.js";
import { type BenchStack, withStack } from "./stack.js";
import { createRoom, insertWebhooks } from "./world.js";

const rates = [30, 100, 200];
const postingMs = 10_000;
const killAfterMs = 4_000;
/** What was on its way when NATS died is handed out again after the longest ack wait. */
const patienceMs = 60_000;

/** What a durable consumer made of the messages of one run. */
interface Outcome {
  acknowledged: number;
  missing: number;
  /** More often than once; null where the database excludes it. */
  doubled: number | null;
}

/**
 * What each durable consumer makes of messages at several rates while NATS is killed and started again: two dispatchers
 * with a receiver that answers at once, and two automods that judge late what the api did not wait for.
 */
export function benchConsumers(): Promise<void> {
  // Only late judgements: nothing answers the api within 1 ms.
  return withStack({ LOG_LEVEL: "info", AUTOMOD_TIMEOUT_MS: "1" }, async (stack) => {
    const post = createPoster((await stack.start("api")).url);
    const dispatchers = [await stack.start("webhook-dispatcher"), await stack.start("webhook-dispatcher")];
    const automods = [await stack.start("automod"), await stack.start("automod")];
    reportHead([
      "messages/s",
      "consumer (stream)",
      "acknowledged",
      "missing",
      "doubled",
      "connection restored to reading, ms",
    ]);
    const row = (rate: number, [name, stream]: readonly [string, string], outcome: Outcome, from: ServerProcess[]) => {
      const { acknowledged, missing, doubled } = outcome;
      const readingMs = readingAfterMs(from, stream).toFixed(0);
      reportRow([rate, `${name} (${stream})`, acknowledged, missing, doubled ?? "–", readingMs]);
    };
    for (const rate of rates) {
      const delivered = await measureWebhook(stack, post, rate);
      for (const stream of ["EVENTS", "DELIVERIES"]) row(rate, ["webhook-dispatcher", stream], delivered, dispatchers);
      row(rate, ["automod", "EVENTS"], await measureAutomod(stack, post, rate), automods);
    }
  });
}

async function measureWebhook(stack: BenchStack, post: Post, rate: number): Promise<Outcome> {
  const received = new Map<string, number>();
  const receiver = await startReceiver((request, response) => {
    const id = String(request.headers["x-service-delivery-id"]);
    received.set(id, (received.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  try {
    const { serverId, channelId, userIds } = await createRoom(stack.pool, 1);
    await insertWebhooks(stack.pool, serverId, receiver.url, 1);
    const auth = stack.headers(userIds[0] ?? "");
    const acknowledged = await postWithKill(stack, rate, () =>
      post(`/channels/${channelId}/messages`, { content: "x" }, auth),
    );
    await settled(async () => acknowledged - received.size);
    const doubled = [...received.values()].filter((times) => times > 1).length;
    return { acknowledged, missing: acknowledged - received.size, doubled };
  } finally {
    await receiver.close();
  }
}

/** Every message has a forbidden word, so that a judged one is deleted. */
async function measureAutomod(stack: BenchStack, post: Post, rate: number): Promise<Outcome> {
  const { serverId, channelId, userIds } = await createRoom(stack.pool, 1);
  const auth = stack.headers(userIds[0] ?? "");
  await post(`/servers/${serverId}/automod/words`, { word: "forbidden" }, auth);
  const rules = { enabled: true, word_filter_enabled: true, word_filter_action: "delete" };
  await post(`/servers/${serverId}/automod`, rules, auth, "PATCH");
  const acknowledged = await postWithKill(stack, rate, () =>
    post(`/channels/${channelId}/messages`, { content: "forbidden" }, auth),
  );
  const missing = await settled(async () => {
    const statement = "SELECT count(*)::int AS left FROM messages WHERE channel_id = $1 AND NOT deleted";
    const { rows } = await stack.pool.query(statement, [channelId]);
    return z.object({ left: z.int() }).parse(rows[0]).left;
  });
  return { acknowledged, missing, doubled: null };
}

/** Posts at the rate while NATS is killed once. @returns how many messages were acknowledged */
async function postWithKill({ servers }: BenchStack, perSecond: number, send: () => Promise<unknown>): Promise<number> {
  let acknowledged = 0;
  const restarting = pause(killAfterMs).then(async () => {
    await servers.nats.kill();
    await servers.nats.restart();
  });
  await sendSteadily({ perSecond, isDone: timer(postingMs) }, async () => {
    // A message that is refused, by a verdict that came in time, is not acknowledged.
    const isStored = await send().then(
      () => true,
      () => false,
    );
    if (isStored) acknowledged += 1;
  });
  await restarting;
  return acknowledged;
}

/** Waits until nothing is missing, as long as that may take. @returns what is missing then */
async function settled(missing: () => Promise<number>): Promise<number> {
  await waitUntil(async () => (await missing()) <= 0, { timeoutMs: patienceMs }).catch(() => undefined);
  return missing();
}

const LogLine = z.object({ time: z.coerce.date(), msg: z.string(), stream: z.string().optional() });

/** The median over processes of the time from the latest "connection restored" to the consumer's reading. */
function readingAfterMs(processes: readonly ServerProcess[], stream: string): number {
  const times = processes.map((process) => {
    const lines = process.lastLines().flatMap((line) => {
      const parsed = line.startsWith("{") ? LogLine.safeParse(JSON.parse(line)) : undefined;
      return parsed?.success ? [parsed.data] : [];
    });
    const restored = lines.findLast(({ msg }) => msg === "NATS connection restored");
    const reads = lines.findLast((line) => line.msg === "consumer reads again" && line.stream === stream);
    if (restored === undefined || reads === undefined) return Number.NaN;
    return reads.time.getTime() - restored.time.getTime();
  });
  return median(times);
}
