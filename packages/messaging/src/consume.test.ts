import { randomUUID } from "node:crypto";
import { createEvent, eventsStream, subjects } from "@parley/contracts";
import { startNats, waitUntil } from "@parley/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectMessaging, type Messaging } from "./connect.js";
import { type Consumption, consume, type StoredMessage } from "./consume.js";
import { consumeEach } from "./consume-each.js";
import { consumeExpiresMs, consumeRetryMs, redeliveryAttemptsMax } from "./limits.js";
import { publishStored } from "./publish.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";

type Server = Awaited<ReturnType<typeof startNats>>;
let said: string[];
const logger = {
  info: (_: object, message: string) => void said.push(message),
  warn: (_: object, message: string) => void said.push(`warning: ${message}`),
};
let server: Server;
let messaging: Messaging;
let open: Consumption[];

beforeEach(async () => {
  said = [];
  server = await startNats();
  messaging = await connectMessaging({ url: server.url, name: "test", logger });
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((consumption) => consumption.close()));
  await messaging?.close();
  await server?.stop();
});

const durable = {
  stream: eventsStream,
  name: "test",
  filter: subjects.storedMessages,
  ackWaitMs: 2_000,
  unackedMax: 1_000,
};
const start = (
  handler: (message: StoredMessage) => void,
  options: { demand?: () => number | Promise<number> } = {},
) => {
  const consumption = consume({ messaging, logger, consumer: durable, demand: options.demand ?? (() => 100), handler });
  open.push(consumption);
  return consumption;
};
const publish = async (id: string = randomUUID()) => {
  const target = { server_id: randomUUID(), channel_id: randomUUID() };
  const event = createEvent("MESSAGE_DELETE", target, { id, channel_id: target.channel_id });
  await publishStored(messaging, { ...event, id }, 5_000);
  return id;
};
const publishMany = (count: number) => Promise.all(Array.from({ length: count }, () => publish()));

test("a consumer waits for a stream that does not exist yet and then reads the messages stored before it came", async () => {
  const ids: (string | null)[] = [];
  start((message) => {
    ids.push(message.id);
    message.ack();
  });
  await waitUntil(() => said.length > 0);
  await ensureStreams(messaging, defaultStreamSettings);
  const id = await publish();
  await waitUntil(() => ids.length === 1);
  expect(ids).toEqual([id]);
  // Every new installation begins like this, so it is no warning.
  expect(said).toEqual(["waits for the stream", "consumer reads again"]);
});

test("several consumers share the messages; each is handled once", async () => {
  await ensureStreams(messaging, defaultStreamSettings);
  const seen = [0, 1].map(() => new Set<string | null>());
  for (const set of seen) {
    start((message) => {
      set.add(message.id);
      message.ack();
    });
  }
  const ids = await publishMany(300);
  await waitUntil(() => seen.reduce((sum, set) => sum + set.size, 0) >= ids.length);
  expect(new Set(seen.flatMap((set) => [...set]))).toEqual(new Set(ids));
  expect(seen.map((set) => set.size).reduce((sum, size) => sum + size)).toBe(300);
});

test("a message comes again after the pause that was asked for, or when it was not acknowledged", async () => {
  await ensureStreams(messaging, defaultStreamSettings);
  const deliveries: { id: string | null; at: number }[] = [];
  const timesOf = (id: string) => deliveries.flatMap((delivery) => (delivery.id === id ? [delivery.at] : []));
  const [silent, asking] = [randomUUID(), randomUUID()];
  start((message) => {
    deliveries.push({ id: message.id, at: performance.now() });
    if (message.id !== silent && deliveries.length < 3) message.retry(500);
    else if (deliveries.length > 4) message.ack();
  });
  await publish(silent);
  await publish(asking);
  await waitUntil(() => deliveries.length > 4, { what: "both to come again" });
  const [first = 0, second = 0] = timesOf(asking);
  expect(second - first).toBeGreaterThan(480);
  // A message without acknowledgement comes again after 2 s: the one that asked for a shorter pause is back before,
  // once.
  expect(deliveries.map(({ id }) => id)).toEqual([silent, asking, asking, silent, asking]);
});

test("an event that fails each time is given up and counted, one that fails during an outage is not, and others go on", async () => {
  await ensureStreams(messaging, defaultStreamSettings);
  const [poison, unlucky] = [await publish(), await publish()];
  const attempts = new Map<string | null, number>();
  const handled: (string | null)[] = [];
  const outage = new Error("a server is out of reach");
  const consumer = { ...durable, name: "each" };
  const consumption = consumeEach({
    ...{ messaging, logger, consumer, handledMax: 10, retryMs: 1 },
    isOutage: (error) => error === outage,
    async handle({ id }) {
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      if (id === poison) throw new Error("poisoned");
      if (id === unlucky && attempt <= redeliveryAttemptsMax + 2) throw outage;
      handled.push(id);
    },
  });
  open.push(consumption);
  await waitUntil(() => messaging.givenUp.get("each") === 1);
  const next = await publish();
  await waitUntil(() => handled.includes(unlucky) && handled.includes(next));
  expect([attempts.get(poison), attempts.get(unlucky)]).toEqual([redeliveryAttemptsMax, redeliveryAttemptsMax + 3]);
  expect(said.filter((line) => line.includes("given up"))).toHaveLength(1);
  const jetstream = await messaging.nats.jetstreamManager();
  await waitUntil(async () => (await jetstream.consumers.info(eventsStream, "each")).num_ack_pending === 0);
});

test("a consumer asks for no more than there is room for", async () => {
  await ensureStreams(messaging, defaultStreamSettings);
  await publishMany(20);
  const held: StoredMessage[] = [];
  let more: (room: number) => void = () => undefined;
  let asked = 0;
  start((message) => held.push(message), {
    demand: () => {
      asked += 1;
      if (asked === 1) return 5;
      return new Promise<number>((resolve) => {
        more = resolve;
      });
    },
  });
  await waitUntil(() => asked === 2);
  expect(held).toHaveLength(5);
  more(7);
  await waitUntil(() => asked === 3);
  expect(held).toHaveLength(12);
});

test("a consumption that closes returns unhandled messages to the other processes at once", async () => {
  await ensureStreams(messaging, defaultStreamSettings);
  const ids = await publishMany(500);
  const seen = new Set<string | null>();
  const take = (message: StoredMessage) => {
    seen.add(message.id);
    message.ack();
  };
  for (let closed = 0; closed < 5; closed += 1) {
    await new Promise<void>((resolve) => {
      const first = start((message) => {
        take(message);
        resolve(first.close());
      });
    });
  }
  start(take);
  // Sooner than the server would redeliver unacknowledged messages by itself.
  await waitUntil(() => seen.size === ids.length, { timeoutMs: 1_500 });
});

test("a consumer reads again soon after the connection is restored, and not when what it asked for has expired", async () => {
  await ensureStreams(messaging, defaultStreamSettings);
  const seen = new Set<string | null>();
  start((message) => {
    seen.add(message.id);
    message.ack();
  });
  await publish();
  await waitUntil(() => seen.size === 1);
  await server.kill();
  // Long enough for the consumer to try again meanwhile: messages that it requested then would be lost.
  const killedAt = performance.now();
  await waitUntil(() => performance.now() - killedAt > 2 * consumeRetryMs);
  await server.restart();
  await waitUntil(() => messaging.connected);
  const id = await publish();
  // Half of the time after which it would ask again anyway.
  await waitUntil(() => seen.has(id), { timeoutMs: consumeExpiresMs / 2 });
});
