import { randomUUID } from "node:crypto";
import { createEvent } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { connectMessaging, defaultStreamSettings, ensureStreams, readStored, storedRange } from "@parley/messaging";
import {
  createTestDatabase,
  type NatsCluster,
  startNatsCluster,
  startNatsProxy,
  type TestDatabase,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createOutbox } from "./outbox.js";

let testDatabase: TestDatabase;
let database: Database;
let cluster: NatsCluster;
const logger = { info() {}, warn() {} };

beforeAll(async () => {
  [testDatabase, cluster] = await Promise.all([createTestDatabase(), startNatsCluster()]);
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await cluster?.stop();
  await testDatabase?.drop();
});

test("an event whose acknowledgement dies with the leader of the stream is published again by the next one, and stored once", async () => {
  const observer = await connectMessaging({ url: cluster.url, name: "observer", logger });
  onTestFinished(() => observer.close());
  await ensureStreams(observer, { ...defaultStreamSettings, STREAM_REPLICAS: 3 });
  const leader = await waitUntil(() => cluster.leaderOf("EVENTS"), { what: "a leader of the stream" });
  // The process reaches the leader through the proxy, and learns the others' addresses from the leader.
  const proxy = await startNatsProxy(leader.url);
  onTestFinished(proxy.close);
  const messaging = await connectMessaging({ url: proxy.url, name: "writer", logger });
  onTestFinished(() => messaging.close());
  const outbox = createOutbox({ database, messaging, logger });
  onTestFinished(() => outbox.close());

  const stored = async () => {
    const { firstSequence, lastSequence } = await storedRange(observer);
    const ids: unknown[] = [];
    await readStored(observer, { from: firstSequence, to: lastSequence }, ({ body }) => {
      ids.push(JSON.parse(Buffer.from(body).toString()).d.invite_id);
    });
    return ids;
  };
  const server_id = randomUUID();
  const emitDeleted = (invite_id: string) =>
    outbox.transaction([{ server_id }], async (_, emit) =>
      emit(createEvent("INVITE_DELETE", { server_id }, { server_id, invite_id })),
    );
  proxy.drop((subject) => subject.startsWith("_INBOX."));
  await emitDeleted("one");
  expect(await stored()).toEqual(["one"]);
  expect(await database.prisma.outboxEvent.count()).toBe(1);
  await leader.kill();
  proxy.cut();
  const isPublished = async () => (await database.prisma.outboxEvent.count()) === 0;
  await waitUntil(isPublished, { what: "the next leader to acknowledge the event", timeoutMs: 50_000 });
  await emitDeleted("two");
  await waitUntil(isPublished, { timeoutMs: 50_000 });
  expect(await waitUntil(async () => (await stored().catch(() => [])).length >= 2 && stored())).toEqual(["one", "two"]);
});
