import { createECDH, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@parley/testing";
import { bench } from "../bench.js";
import { ascending, check, clockMs, percentilesInWords, report, sendSteadily, timer } from "../measure.js";
import { createPoster } from "../poster.js";
import { connectQuietServer } from "../quiet-server.js";
import { startReceiver } from "../receiver.js";
import { type BenchStack, withStack } from "../stack.js";
import { createRoom, type Room } from "../world.js";

/** A push that has not come within this is lost. */
const lostAfterMs = 60_000;
/** Pushes to a device within this are one. */
const mergedMs = 6_000;
const warmUps = 20;

/**
 * Devices of accounts without connections: mentions at a steady rate, then everyone at once; another server's messages
 * beside. The push service answers at once and decrypts nothing.
 */
export default bench(
  { sizes: { devices: 10_000, perSecond: 200, seconds: 20 }, quick: { devices: 50, perSecond: 10, seconds: 2 } },
  ({ devices, perSecond, seconds }) =>
    withStack({ WEBHOOK_ALLOW_PRIVATE: "true" }, async (stack) => {
      const takenAt = new Map<string, number>();
      const service = await startReceiver((request, response) => {
        request.resume().on("end", () => {
          takenAt.set(request.url?.slice(1) ?? "", clockMs());
          response.writeHead(201).end();
        });
      });
      const [api, gateway] = [await stack.start("api"), await stack.start("gateway")];
      await stack.start("webhook-dispatcher");
      const room = await createRoom(stack.pool, devices + 1);
      const names = await insertDevices(stack, room, service.url);
      const quietServer = await connectQuietServer(stack, api, [gateway]);
      const [post, author] = [createPoster(api.url), stack.headers(room.userIds[0] ?? "")];
      const say = (content: string) => post(`/channels/${room.channelId}/messages`, { content }, author);
      const mention = async (number: number) => {
        const position = 1 + (number % devices);
        const from = clockMs();
        await say(`@${names[position]} here`);
        return { id: room.userIds[position] ?? "", from, requestMs: clockMs() - from };
      };
      const until = async (count: number) => {
        await waitUntil(() => takenAt.size >= count, { timeoutMs: lostAfterMs }).catch(() => undefined);
        check("pushes taken", takenAt.size, count);
      };

      // The first ones warm up: of the last devices, which are not mentioned later.
      const first = Math.min(warmUps, devices / 2);
      for (let n = 1; n <= first; n += 1) await mention(devices - n);
      await until(first);
      const alone = await quietServer.measure(timer(seconds * 500));
      report(`another server's messages alone: ${percentilesInWords(alone.deliveredMs)}`);

      takenAt.clear();
      const sent: Awaited<ReturnType<typeof mention>>[] = [];
      const mentions = await quietServer.beside(async () => {
        const pace = { perSecond, isDone: timer(seconds * 1_000) };
        await sendSteadily(pace, async (number) => sent.push(await mention(number)));
        await until(Math.min(sent.length, devices));
      });
      const pushMs = ascending(sent.map(({ id, from }) => (takenAt.get(id) ?? Number.NaN) - from));
      report(
        `${sent.length} mentions: from the request to the push taken ${percentilesInWords(pushMs)}  (goal: 1000); the request ${percentilesInWords(ascending(sent.map(({ requestMs }) => requestMs)))}; another server's messages ${percentilesInWords(mentions.quiet.deliveredMs)}`,
      );

      await pause(mergedMs);
      takenAt.clear();
      const from = clockMs();
      const everyone = await quietServer.beside(async () => {
        await say("@everyone here");
        await until(devices);
      });
      report(
        `everyone: ${takenAt.size} pushes taken in ${((Math.max(...takenAt.values()) - from) / 1_000).toFixed(1)} s  (goal: 30); another server's messages ${percentilesInWords(everyone.quiet.deliveredMs)}`,
      );
      quietServer.close();
      await service.close();
    }),
);

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
