import { once } from "node:events";
import { createServer } from "node:http";
import { AuthResponse, Channel, Server } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import { z } from "zod";
import { median, report } from "./measure.js";
import { createPoster, type Post } from "./poster.js";
import { type BenchStack, startBenchStack, withPool } from "./stack.js";

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
export async function benchConsumers(): Promise<void> {
  // Only late judgements: nothing answers the api within 1 ms.
  const stack = await startBenchStack({ LOG_LEVEL: "info", AUTOMOD_TIMEOUT_MS: "1" });
  try {
    const api = await stack.start("api");
    const dispatchers = [await stack.start("webhook-dispatcher"), await stack.start("webhook-dispatcher")];
    const automods = [await stack.start("automod"), await stack.start("automod")];
    const post = createPoster(api.url);
    const account = { username: "bench", password: "benchmark" };
    const { access_token } = AuthResponse.parse(await post("/auth/register", account));
    const auth = { authorization: `Bearer ${access_token}` };
    report(
      "| messages/s | consumer (stream) | acknowledged | missing | doubled | connection restored to reading, ms |",
    );
    report("|---|---|---|---|---|---|");
    for (const rate of rates) {
      const delivered = await measureWebhook(stack, rate, post, auth);
      row(rate, "webhook-dispatcher (EVENTS)", delivered, readingAfterMs(dispatchers, "EVENTS"));
      row(rate, "webhook-dispatcher (DELIVERIES)", delivered, readingAfterMs(dispatchers, "DELIVERIES"));
      row(rate, "automod (EVENTS)", await measureAutomod(stack, rate, post, auth), readingAfterMs(automods, "EVENTS"));
    }
  } finally {
    await stack.stop();
  }
}

type Auth = { authorization: string };

function row(rate: number, consumer: string, { acknowledged, missing, doubled }: Outcome, readingMs: number): void {
  const cells = [rate, consumer, acknowledged, missing, doubled ?? "–", readingMs.toFixed(0)];
  report(`| ${cells.join(" | ")} |`);
}

async function createRoom(post: Post, auth: Auth) {
  const server = Server.parse(await post("/servers", { name: "bench" }, auth));
  const channel = Channel.parse(await post(`/servers/${server.id}/channels`, { name: "bench" }, auth));
  return { serverId: server.id, channelId: channel.id };
}

async function measureWebhook(stack: BenchStack, rate: number, post: Post, auth: Auth): Promise<Outcome> {
  const received = new Map<string, number>();
  const receiver = createServer((request, response) => {
    const id = String(request.headers["x-service-delivery-id"]);
    received.set(id, (received.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  try {
    const { serverId, channelId } = await createRoom(post, auth);
    const address = z.object({ port: z.int() }).parse(receiver.address());
    const webhook = { name: "bench", url: `http://127.0.0.1:${address.port}`, event_types: ["message.created"] };
    await post(`/servers/${serverId}/webhooks`, webhook, auth);
    const acknowledged = await postWithKill(stack, rate, () =>
      post(`/channels/${channelId}/messages`, { content: "x" }, auth),
    );
    await settled(async () => acknowledged - received.size);
    const doubled = [...received.values()].filter((times) => times > 1).length;
    return { acknowledged, missing: acknowledged - received.size, doubled };
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}

/** Every message has a forbidden word, so that a judged one is deleted. */
async function measureAutomod(stack: BenchStack, rate: number, post: Post, auth: Auth): Promise<Outcome> {
  const { serverId, channelId } = await createRoom(post, auth);
  await post(`/servers/${serverId}/automod/words`, { word: "forbidden" }, auth);
  const rules = { enabled: true, word_filter_enabled: true, word_filter_action: "delete" };
  await post(`/servers/${serverId}/automod`, rules, auth, "PATCH");
  const acknowledged = await postWithKill(stack, rate, () =>
    post(`/channels/${channelId}/messages`, { content: "forbidden" }, auth),
  );
  const missing = () =>
    withPool(stack, async (pool) => {
      const statement = "SELECT count(*)::int AS left FROM messages WHERE channel_id = $1 AND NOT deleted";
      const [counted] = (await pool.query(statement, [channelId])).rows;
      return z.object({ left: z.int() }).parse(counted).left;
    });
  return { acknowledged, missing: await settled(missing), doubled: null };
}

/** Posts at the rate while NATS is killed once. @returns how many messages were acknowledged */
async function postWithKill(stack: BenchStack, rate: number, send: () => Promise<unknown>): Promise<number> {
  const { nats } = stack.servers;
  let acknowledged = 0;
  const sent: Promise<void>[] = [];
  let restarting: Promise<void> | undefined;
  const startedAt = performance.now();
  for (let elapsedMs = 0; elapsedMs < postingMs; elapsedMs = performance.now() - startedAt) {
    if (elapsedMs > killAfterMs) restarting ??= nats.kill().then(() => nats.restart());
    for (; sent.length < (elapsedMs / 1_000) * rate; ) {
      // A message that is refused, by a verdict that came in time, is not acknowledged.
      sent.push(
        send().then(
          () => {
            acknowledged += 1;
          },
          () => undefined,
        ),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await restarting;
  await Promise.all(sent);
  return acknowledged;
}

/** Waits until nothing is missing, as long as that may take. @returns what is missing then */
async function settled(missing: () => Promise<number>): Promise<number> {
  const until = performance.now() + patienceMs;
  let left = await missing();
  while (left > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    left = await missing();
  }
  return left;
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
