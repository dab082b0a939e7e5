import { randomUUID } from "node:crypto";
import { createEvent, subjects } from "@parley/contracts";
import { connectDatabase, type Database, type Transaction } from "@parley/database/prisma";
import {
  connectMessaging,
  defaultStreamSettings,
  ensureStreams,
  type Messaging,
  readStored,
  storedRange,
  subscribeLive,
} from "@parley/messaging";
import { createTestDatabase, startNats, type TestDatabase, waitUntil } from "@parley/testing";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appendEvents } from "./append.js";
import { registerOutboxMetrics } from "./metrics.js";
import { createOutbox, type Outbox } from "./outbox.js";

let testDatabase: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let database: Database;
const closing: (() => Promise<unknown>)[] = [];
const logger = { info() {}, warn() {} };

beforeEach(async () => {
  [testDatabase, nats] = await Promise.all([createTestDatabase(), startNats()]);
  database = await connectDatabase({ url: testDatabase.url, poolMax: 5, applicationName: "test", logger });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.close();
  await nats.stop();
  await testDatabase.drop();
});

async function connect(): Promise<Messaging> {
  const messaging = await connectMessaging({ url: nats.url, name: "test", logger });
  closing.push(() => messaging.close());
  await ensureStreams(messaging, defaultStreamSettings);
  return messaging;
}

async function openOutbox(warnings: string[] = []): Promise<{ outbox: Outbox<Transaction>; messaging: Messaging }> {
  const messaging = await connect();
  const warn = (_details: object, message: string) => void warnings.push(message);
  const outbox = createOutbox({ database, messaging, logger: { info() {}, warn } });
  closing.push(() => outbox.close());
  return { outbox, messaging };
}

/** Bodies of every event that a gateway would see, in order. */
async function listen(): Promise<string[]> {
  const messaging = await connect();
  const bodies: string[] = [];
  subscribeLive(messaging, subjects.allLive, (event) => bodies.push(Buffer.from(event.body).toString()));
  await messaging.nats.flush();
  return bodies;
}

const serverId = randomUUID();
const order = [{ server_id: serverId }];
const inviteDeleted = (invite_id: string) =>
  createEvent("INVITE_DELETE", { server_id: serverId }, { server_id: serverId, invite_id });
const pending = () => database.prisma.outboxEvent.count();
const inviteIds = (bodies: string[]) => bodies.map((body) => /"invite_id":"([^"]+)"/.exec(body)?.[1]);

test("the finished frame is published before the transaction's promise resolves, and its row is deleted", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  await outbox.transaction(order, async (_, emit) => emit(inviteDeleted("r1")));
  await waitUntil(() => bodies.length === 1);
  expect(bodies).toEqual([`{"op":"DISPATCH","t":"INVITE_DELETE","d":{"server_id":"${serverId}","invite_id":"r1"}}`]);
  await waitUntil(async () => (await pending()) === 0, { what: "the acknowledged row to be deleted" });
});

test("a transaction that rolls back leaves neither row nor event", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const failing = outbox.transaction(order, async (transaction, emit) => {
    emit(inviteDeleted("never"));
    await transaction.prisma.user.create({ data: { username: "ghost" } });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await outbox.transaction(order, async (_, emit) => emit(inviteDeleted("after")));
  await waitUntil(() => bodies.length > 0);
  expect(inviteIds(bodies)).toEqual(["after"]);
  expect(await database.prisma.user.count()).toBe(0);
});

test("the events of one transaction are published in the order in which they were emitted", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
  await outbox.transaction(order, async (_, emit) => {
    for (const id of ids) emit(inviteDeleted(id));
  });
  await waitUntil(() => bodies.length === ids.length);
  expect(inviteIds(bodies)).toEqual(ids);
});

test("while NATS is away transactions succeed at once, and afterwards every event arrives once and in order", async () => {
  const { outbox, messaging } = await openOutbox();
  const bodies = await listen();
  await nats.kill();
  await waitUntil(() => !messaging.connected);
  const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
  for (const id of ids) await outbox.transaction(order, async (_, emit) => emit(inviteDeleted(id)));
  expect(await pending()).toBe(ids.length);
  await nats.restart();
  await waitUntil(() => messaging.connected);
  // Written while the backlog drains: it may not overtake waiting events.
  await outbox.transaction(order, async (_, emit) => emit(inviteDeleted("last")));
  await waitUntil(async () => (await pending()) === 0);
  const stored = await storedInviteIds(messaging);
  expect(stored).toEqual([...ids, "last"]);
  // The listener may have reconnected in the middle, but nothing reached it twice.
  expect(new Set(bodies).size).toBe(bodies.length);
});

test("an event whose writer died between commit and publish is published by another process", async () => {
  const bodies = await listen();
  await database.transaction((transaction) => appendEvents(transaction, [inviteDeleted("orphan")]));
  await openOutbox();
  await waitUntil(() => bodies.length === 1);
  expect(inviteIds(bodies)).toEqual(["orphan"]);
  await waitUntil(async () => (await pending()) === 0);
});

test("what a dead process left goes before what is written next in its channel, and in the channels of its server", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const channel = { server_id: serverId, channel_id: randomUUID() };
  const pinned = (message_id: string) => {
    const { channel_id } = channel;
    return createEvent("MESSAGE_UNPIN", channel, { message_id, channel_id, unpinned_by: randomUUID() });
  };
  await database.transaction((transaction) =>
    appendEvents(transaction, [inviteDeleted("of the server"), pinned("of the channel")]),
  );
  await outbox.transaction([channel], async (_, emit) => emit(pinned("live")));
  await waitUntil(() => bodies.length === 3);
  expect(bodies.map((body) => /"(?:invite|message)_id":"([^"]+)"/.exec(body)?.[1])).toEqual([
    "of the server",
    "of the channel",
    "live",
  ]);
  // The relay deletes events that the stream did not acknowledge in time.
  await waitUntil(async () => (await pending()) === 0, { what: "the rows to be deleted" });
});

test("a change of visibility is answered after a bounded wait without NATS, and goes before all that follows", async () => {
  const warnings: string[] = [];
  const { outbox, messaging } = await openOutbox(warnings);
  const other = await openOutbox();
  const channel = { server_id: serverId, channel_id: randomUUID() };
  const left = { server_id: serverId, user_id: randomUUID() };
  await nats.kill();
  await waitUntil(() => !messaging.connected && !other.messaging.connected);
  await outbox.transaction(order, async (_, emit) =>
    emit(createEvent("SERVER_LEFT", { user_id: left.user_id }, left, { order_key: serverId })),
  );
  expect(await pending()).toBe(1);
  // Without the wait it would be answered, and never say so.
  expect(warnings).toContain("a change of visibility is answered before the stream has it");
  const removed = { message_id: randomUUID(), channel_id: channel.channel_id, unpinned_by: randomUUID() };
  await nats.restart();
  await other.outbox.transaction([channel], async (_, emit) => emit(createEvent("MESSAGE_UNPIN", channel, removed)));
  await waitUntil(async () => (await pending()) === 0);
  const bodies = await storedBodies(other.messaging);
  expect(bodies[0]).toBe(JSON.stringify(left));
  expect(bodies[1]).toContain(removed.message_id);
});

test("an event that is not ordered with what the transaction locked is refused, and nothing is stored", async () => {
  const { outbox } = await openOutbox();
  const elsewhere = [{ server_id: randomUUID() }];
  await expect(outbox.transaction(elsewhere, async (_, emit) => emit(inviteDeleted("x")))).rejects.toThrow("ordered");
  expect(await pending()).toBe(0);
});

test("metrics show how many events wait, and for how long", async () => {
  const registry = new Registry();
  registerOutboxMetrics({ registry, database });
  expect(await registry.metrics()).toMatch(/^outbox_events 0$/m);
  await database.transaction((transaction) => appendEvents(transaction, [inviteDeleted("r1"), inviteDeleted("r2")]));
  const text = await registry.metrics();
  expect(text).toMatch(/^outbox_events 2$/m);
  expect(Number(/^outbox_oldest_event_age_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
});

test("an event that NATS never takes is not committed, and one that was is given up, and holds nothing up", async () => {
  const bodies = await listen();
  const registry = new Registry();
  const messaging = await connect();
  const outbox = createOutbox({ database, messaging, logger, registry });
  closing.push(() => outbox.close());
  const large = "x".repeat(1_100_000);
  const refused = outbox.transaction(order, async (_, emit) => emit(inviteDeleted(large)));
  await expect(refused).rejects.toThrow("can be sent");
  expect(await pending()).toBe(0);
  // As a version without the bound committed it.
  const { subject, body, orderKey } = inviteDeleted(large);
  await database.prisma.outboxEvent.create({ data: { subject, payload: body, order_key: orderKey, headers: {} } });
  await outbox.transaction(order, async (_, emit) => emit(inviteDeleted("next")));
  await waitUntil(async () => (await pending()) === 0);
  await waitUntil(() => bodies.length > 0);
  expect(inviteIds(bodies)).toEqual(["next"]);
  expect(await registry.metrics()).toMatch(/^outbox_unsendable_events_total 1$/m);
});

test("two relays publish a backlog once and in order", async () => {
  const bodies = await listen();
  const ids = Array.from({ length: 1_200 }, (_, index) => `r${index}`);
  await database.transaction((transaction) => appendEvents(transaction, ids.map(inviteDeleted)));
  await Promise.all([openOutbox(), openOutbox()]);
  await waitUntil(async () => (await pending()) === 0);
  await waitUntil(() => bodies.length >= ids.length);
  expect(inviteIds(bodies)).toEqual(ids);
});

test("a row that is published twice reaches the gateways once", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const rows = await database.transaction((transaction) => appendEvents(transaction, [inviteDeleted("twice")]));
  const [place] = order;
  if (place === undefined) throw new Error("no order");
  await outbox.write(place, async () => ({ result: null, rows }));
  await outbox.write(place, async () => ({ result: null, rows }));
  await outbox.transaction(order, async (_, emit) => emit(inviteDeleted("barrier")));
  await waitUntil(() => inviteIds(bodies).includes("barrier"));
  expect(inviteIds(bodies)).toEqual(["twice", "barrier"]);
});

async function storedInviteIds(messaging: Messaging): Promise<(string | undefined)[]> {
  return inviteIds(await storedBodies(messaging));
}

async function storedBodies(messaging: Messaging): Promise<string[]> {
  const { firstSequence, lastSequence } = await storedRange(messaging);
  const bodies: string[] = [];
  await readStored(messaging, { from: firstSequence, to: lastSequence }, (event) => {
    bodies.push(Buffer.from(event.body).toString());
  });
  return bodies;
}
