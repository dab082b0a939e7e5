import { createClient as createParleyClient } from "@parley/client";
import { createClient, startPushService, startStack, type UserClient, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { type Phone, subscribePhone } from "../stages/push-stage.js";

/** Longer by the environment, such as `PUSH_KILL_SECONDS=60`. */
const seconds = Number(process.env.PUSH_KILL_SECONDS ?? 8);
/** From one kill to the next, if the killed process is back by then. */
const killEveryMs = 700;
const sendEveryMs = 40;

/** A user who is away, with a device, and their channels with friends who write. */
interface Away {
  readonly user: UserClient;
  readonly phone: Phone;
  readonly channelIds: readonly string[];
}

test("dispatchers, apis and a gateway are killed under load: each device gets a push of each message, and of hardly any twice", async () => {
  // Its own: its processes are killed.
  const stack = await startStack({ apis: 2, gateways: 1, webhookDispatchers: 2 });
  onTestFinished(stack.stop);
  const service = await startPushService();
  onTestFinished(service.stop);
  const client = createClient(stack.edgeUrl);
  const register = () => client.register();
  const writers = await Promise.all(Array.from({ length: 4 }, register));
  const sessions = writers.map(({ accessToken, refreshToken }) =>
    createParleyClient({ baseUrl: stack.edgeUrl, tokens: { accessToken, refreshToken }, retries: 10 }),
  );
  const readers = await Promise.all(
    Array.from({ length: 6 }, async (): Promise<Away> => {
      const user = await register();
      const phone = await subscribePhone(service, user);
      const channels = await Promise.all(sessions.map((by) => by.directMessages.open({ user_id: user.user.id })));
      return { user, phone, channelIds: channels.map(({ id }) => id) };
    }),
  );
  const places = readers.flatMap(({ channelIds }) => channelIds.map((id, writer) => ({ id, by: sessions[writer] })));

  const victims = [
    ...[stack.webhookDispatchers[0], stack.apis[0], stack.webhookDispatchers[1]],
    ...[stack.gateways[0], stack.apis[1]],
  ];
  const startedAt = performance.now();
  const isOver = () => performance.now() > startedAt + seconds * 1_000;
  const sent: Promise<unknown>[] = [];
  const sending = waitUntil(
    () => {
      const due = (performance.now() - startedAt) / sendEveryMs;
      while (sent.length < due && !isOver()) {
        const { id, by } = places[sent.length % places.length] ?? {};
        if (id === undefined || by === undefined) throw new Error("There are places");
        sent.push(by.directMessages.send(id, { content: `Message ${sent.length}` }).catch(() => null));
      }
      return isOver();
    },
    { timeoutMs: seconds * 2_000 + 60_000, what: "the end of the load" },
  );
  let kills = 0;
  while (!isOver()) {
    const next = performance.now() + killEveryMs;
    const victim = victims[kills % victims.length];
    await victim?.kill();
    await victim?.restart();
    kills += 1;
    await waitUntil(() => performance.now() >= next, { timeoutMs: 60_000 });
  }
  await sending;
  await Promise.all(sent);

  const stored = new Map<string, number>();
  for (const { id, by } of places) {
    stored.set(id, (await by?.directMessages.list(id, { limit: 100 }))?.length ?? 0);
  }
  const toldOf = ({ phone }: Away, channelId: string) =>
    phone.messages().filter(({ channel_id }) => channel_id === channelId);
  const counted = (away: Away, channelId: string) => toldOf(away, channelId).reduce((sum, { count }) => sum + count, 0);
  const eachChannel = readers.flatMap((away) => away.channelIds.map((id) => ({ away, id })));
  await waitUntil(() => eachChannel.every(({ away, id }) => counted(away, id) >= (stored.get(id) ?? 0)), {
    timeoutMs: 90_000,
    what: "a push of every message",
  });
  const messages = [...stored.values()].reduce((sum, count) => sum + count, 0);
  const pushes = readers.reduce((sum, { phone }) => sum + phone.messages().length, 0);
  // A process that dies in the act of sending leaves a sent push recorded as unsent: it is sent again, alone or with
  // later messages.
  const copies = eachChannel.reduce((sum, { away, id }) => sum + counted(away, id) - (stored.get(id) ?? 0), 0);
  process.stdout.write(
    `pushes under kills: ${kills} kills, ${messages} messages stored, ${pushes} pushes taken, ${copies} messages told twice\n`,
  );
  expect(messages).toBeGreaterThan(seconds * 5);
  expect(copies).toBeLessThanOrEqual(kills);
  expect(service.faults).toEqual([]);
}, 240_000);
