import { createECDH, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { besideOf, follow, type Quiet } from "./interactions.js";
import { ascending, clockMs, percentilesInWords, report, sendSteadily, timer } from "./measure.js";
import { createPoster } from "./poster.js";
import { startReceiver } from "./receiver.js";
import { type BenchStack, withStack } from "./stack.js";
import { createRoom, type Room } from "./world.js";

/** Devices without connections, and how many of them are mentioned. */
export interface PushSizes {
  devices: number;
  perSecond: number;
  seconds: number;
}

const sizes: PushSizes = { devices: 10_000, perSecond: 200, seconds: 20 };
export const quickSizes: PushSizes = { devices: 50, perSecond: 10, seconds: 2 };

/**
 * Devices of accounts without connections: mentions at a steady rate, then everyone at once; another server's messages beside. The
 * push service answers at once and decrypts nothing.
 *
 * @param options `--quick` for sizes that only show that it works
 */
export async function benchPush(options: readonly string[]): Promise<void> {
  await withStack({ WEBHOOK_ALLOW_PRIVATE: "true" }, async (stack) => {
    const { alone, mentions, everyone } = await measurePush(stack, options.includes("--quick") ? quickSizes : sizes);
    report(`another server's messages alone: ${percentilesInWords(alone)}`);
    report(
      `${mentions.sent} mentions: ${mentions.taken} pushes taken, from the request ${percentilesInWords(mentions.pushMs)}; ` +
        `the request ${percentilesInWords(mentions.requestMs)}; another server's messages ${percentilesInWords(mentions.besideMs)}`,
    );
    report(
      `everyone: ${everyone.taken} pushes taken in ${(everyone.lastMs / 1_000).toFixed(1)} s; ` +
        `another server's messages ${percentilesInWords(everyone.besideMs)}`,
    );
  });
}

/** Gives each member but the first a device. @returns the names of the members, in their order */
async function insertDevices({ pool }: BenchStack, { userIds }: Room, url: string): Promise<string[]> {
  const point = createECDH("prime256v1").generateKeys("base64url");
  const auth = randomBytes(16).toString("base64url");
  await pool.query(
    `INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth)
      SELECT id, $2 || '/' || id, $3, $4 FROM unnest($1::uuid[]) AS device (id)`,
    [userIds.slice(1), url, point, auth],
  );
  await pool.query("ANALYZE");
  const { rows } = await pool.query<{ username: string }>(
    "SELECT u.username FROM unnest($1::uuid[]) WITH ORDINALITY AS m (id, n) JOIN users u USING (id) ORDER BY m.n",
    [userIds],
  );
  return rows.map(({ username }) => username);
}

/** Measures on a fresh stack. */
export async function measurePush(stack: BenchStack, { devices, perSecond, seconds }: PushSizes) {
  const takenAt = new Map<string, number>();
  const service = await startReceiver((request, response) => {
    request.resume().on("end", () => {
      takenAt.set(request.url?.slice(1) ?? "", clockMs());
      response.writeHead(201).end();
    });
  });
  const api = await stack.start("api");
  const gateway = await stack.start("gateway");
  await stack.start("webhook-dispatcher");
  const room = await createRoom(stack.pool, devices + 1);
  const names = await insertDevices(stack, room, service.url);
  const quiet = await createRoom(stack.pool, 2);
  const seen = new Map<string, number>();
  const query = stack.socketPath(quiet.userIds[1] ?? "", "&v=2").split("?")[1] ?? "";
  const client = await follow(gateway.url, `${query}&events=MESSAGE_CREATE`, (name, { id }) => {
    if (name === "MESSAGE_CREATE") seen.set(String(id), clockMs());
  });
  const ask = createPoster(api.url);
  const beside: Quiet = { ask, quiet, seen, writer: stack.headers(quiet.userIds[0] ?? "") };
  const author = stack.headers(room.userIds[0] ?? "");
  const say = (content: string) => ask(`/channels/${room.channelId}/messages`, { content }, author);
  const mention = async (number: number) => {
    const position = 1 + (number % devices);
    const from = clockMs();
    await say(`@${names[position]} here`);
    return { id: room.userIds[position] ?? "", from, requestMs: clockMs() - from };
  };
  const until = async (count: number, maxMs: number) => {
    const isLate = timer(maxMs);
    while (takenAt.size < count && !isLate()) await pause(5);
  };

  // The first ones warm up: of the last devices, which are not mentioned later.
  for (let n = 1; n <= Math.min(20, devices / 2); n += 1) await mention(devices - n);
  await until(Math.min(20, devices / 2), 10_000);
  const alone = await besideOf(beside, () => pause(seconds * 500));
  takenAt.clear();

  const sent: Awaited<ReturnType<typeof mention>>[] = [];
  const mentionsBesideMs = await besideOf(beside, async () => {
    await sendSteadily({ perSecond, isDone: timer(seconds * 1_000) }, async (number) =>
      sent.push(await mention(number)),
    );
    await until(Math.min(sent.length, devices), 10_000);
  });
  const mentions = {
    sent: sent.length,
    taken: sent.filter(({ id }) => takenAt.has(id)).length,
    pushMs: ascending(sent.flatMap(({ id, from }) => (takenAt.has(id) ? [(takenAt.get(id) ?? 0) - from] : []))),
    requestMs: ascending(sent.map(({ requestMs }) => requestMs)),
    besideMs: mentionsBesideMs,
  };

  // After what would be merged with the pushes before.
  await pause(6_000);
  takenAt.clear();
  let from = 0;
  const besideMs = await besideOf(beside, async () => {
    from = clockMs();
    await say("@everyone here");
    await until(devices, 60_000);
  });
  const everyone = { taken: takenAt.size, lastMs: Math.max(...takenAt.values()) - from, besideMs };
  client.terminate();
  await service.close();
  return { alone, mentions, everyone };
}
