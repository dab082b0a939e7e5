import { randomUUID } from "node:crypto";
import { createEvent, subjects } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database";
import {
  connectMessaging,
  defaultStreamSettings,
  ensureStreams,
  type Messaging,
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

async function openOutbox(): Promise<{ outbox: Outbox; messaging: Messaging }> {
  const messaging = await connect();
  const outbox = createOutbox({ database, messaging, logger });
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
const roleDeleted = (role_id: string) =>
  createEvent("ROLE_DELETE", { server_id: serverId }, { server_id: serverId, role_id });
const pending = () => database.prisma.outboxEvent.count();
const roleIds = (bodies: string[]) => bodies.map((body) => /"role_id":"([^"]+)"/.exec(body)?.[1]);

test("publishes the finished frame before the transaction's promise resolves, and forgets the row", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  await outbox.transaction(async (_, emit) => emit(roleDeleted("r1")));
  await waitUntil(() => bodies.length === 1);
  expect(bodies).toEqual([`{"op":"DISPATCH","t":"ROLE_DELETE","d":{"server_id":"${serverId}","role_id":"r1"}}`]);
  await waitUntil(async () => (await pending()) === 0, { what: "the acknowledged row to be deleted" });
});

test("a transaction that rolls back leaves neither row nor event", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const failing = outbox.transaction(async (transaction, emit) => {
    emit(roleDeleted("never"));
    await transaction.prisma.user.create({ data: { username: "ghost" } });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await outbox.transaction(async (_, emit) => emit(roleDeleted("after")));
  await waitUntil(() => bodies.length > 0);
  expect(roleIds(bodies)).toEqual(["after"]);
  expect(await database.prisma.user.count()).toBe(0);
});

test("publishes the events of one transaction in the order in which they were emitted", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
  await outbox.transaction(async (_, emit) => {
    for (const id of ids) emit(roleDeleted(id));
  });
  await waitUntil(() => bodies.length === ids.length);
  expect(roleIds(bodies)).toEqual(ids);
});

test("while NATS is away transactions succeed at once, and afterwards every event arrives once and in order", async () => {
  const { outbox, messaging } = await openOutbox();
  const bodies = await listen();
  await nats.kill();
  await waitUntil(() => !messaging.connected);
  const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
  for (const id of ids) await outbox.transaction(async (_, emit) => emit(roleDeleted(id)));
  expect(await pending()).toBe(ids.length);
  await nats.restart();
  await waitUntil(() => messaging.connected);
  // Written while the backlog drains: it may not overtake what waits.
  await outbox.transaction(async (_, emit) => emit(roleDeleted("last")));
  await waitUntil(async () => (await pending()) === 0, { timeoutMs: 15_000 });
  const stored = await storedRoleIds(messaging);
  expect(stored).toEqual([...ids, "last"]);
  // The listener may have reconnected in the middle, but nothing reached it twice.
  expect(new Set(bodies).size).toBe(bodies.length);
});

test("an event whose writer died between commit and publish is published by another process", async () => {
  const bodies = await listen();
  await database.transaction((transaction) => appendEvents(transaction, [roleDeleted("orphan")]));
  await openOutbox();
  await waitUntil(() => bodies.length === 1, { timeoutMs: 15_000 });
  expect(roleIds(bodies)).toEqual(["orphan"]);
  await waitUntil(async () => (await pending()) === 0);
});

test("metrics tell how many events wait, and for how long", async () => {
  const registry = new Registry();
  registerOutboxMetrics({ registry, database });
  expect(await registry.metrics()).toMatch(/^outbox_events 0$/m);
  await database.transaction((transaction) => appendEvents(transaction, [roleDeleted("r1"), roleDeleted("r2")]));
  const text = await registry.metrics();
  expect(text).toMatch(/^outbox_events 2$/m);
  expect(Number(/^outbox_oldest_event_age_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
});

test("two relays publish a backlog once and in order", async () => {
  const bodies = await listen();
  const ids = Array.from({ length: 1_200 }, (_, index) => `r${index}`);
  await database.transaction((transaction) => appendEvents(transaction, ids.map(roleDeleted)));
  await Promise.all([openOutbox(), openOutbox()]);
  await waitUntil(async () => (await pending()) === 0, { timeoutMs: 20_000 });
  await waitUntil(() => bodies.length >= ids.length);
  expect(roleIds(bodies)).toEqual(ids);
});

test("a row that is published twice reaches the gateways once", async () => {
  const bodies = await listen();
  const { outbox } = await openOutbox();
  const rows = await database.transaction((transaction) => appendEvents(transaction, [roleDeleted("twice")]));
  await outbox.publish(rows);
  await outbox.publish(rows);
  await outbox.transaction(async (_, emit) => emit(roleDeleted("barrier")));
  await waitUntil(() => roleIds(bodies).includes("barrier"));
  expect(roleIds(bodies)).toEqual(["twice", "barrier"]);
});

async function storedRoleIds(messaging: Messaging): Promise<(string | undefined)[]> {
  const { readStored, storedRange } = await import("@parley/messaging");
  const { firstSequence, lastSequence } = await storedRange(messaging);
  const bodies: string[] = [];
  await readStored(messaging, { from: firstSequence, to: lastSequence }, (event) => {
    bodies.push(Buffer.from(event.body).toString());
  });
  return roleIds(bodies);
}
