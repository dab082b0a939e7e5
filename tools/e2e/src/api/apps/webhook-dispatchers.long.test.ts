import type { ServerResponse } from "node:http";
import type { Message, WebhookDelivery } from "@parley/contracts";
import { createServerWithMembers, postMessage, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { attemptOf } from "../stages/webhook-receiver.js";
import { createWebhooks, readLog } from "../stages/webhook-stage.js";
import { keyOf, startDispatchers } from "./webhook-dispatchers-stage.js";

test("a dispatcher that is killed loses none of 500 waiting jobs and 50 under way; what was under way is tried again as the same attempt", async ({
  onTestFinished,
}) => {
  const stage = await startDispatchers(1, onTestFinished);
  const held: ServerResponse[] = [];
  let answering = false;
  const answered = new Set<string>();
  const receiver = await stage.receiver((response, { delivery }) => {
    if (!answering) return void held.push(response);
    answered.add(keyOf(delivery));
    response.writeHead(204).end();
  });
  const created = await createWebhooks(stage, 10, receiver.url);
  await stage.post(56);
  await waitUntil(() => held.length >= 80, { what: "80 attempts under way" });
  const underWay = new Set(receiver.received.map(keyOf));
  expect(underWay.size).toBe(80);
  await stage.dispatcher(0).kill();
  for (const response of held) response.destroy();
  answering = true;
  await stage.stack.startWebhookDispatcher();
  await waitUntil(() => answered.size === 560, { timeoutMs: 40_000, what: "every delivery" });
  expect([...underWay].every((key) => answered.has(key))).toBe(true);
  expect(receiver.received.every((delivery) => attemptOf(delivery) === 1)).toBe(true);
  await waitUntil(async () => {
    const logs = await Promise.all(created.map((webhook) => readLog(stage.owner, webhook)));
    return logs.every((log) => log.length === 56 && log.every(({ status }) => status === "delivered"));
  });
});

describe("a quick receiver", () => {
  test("a quick receiver gets every delivery of 100 messages a second while NATS is killed and started again", async ({
    onTestFinished,
  }) => {
    const stage = await startDispatchers(2, onTestFinished);
    const receiver = await stage.receiver((response) => setTimeout(() => response.writeHead(204).end(), 20));
    await createWebhooks(stage, 1, receiver.url);
    await stage.post(1);
    await receiver.waitFor(1);
    const posted: Message[] = [];
    for (let second = 0; second < 8; second += 1) {
      const startedAt = performance.now();
      if (second === 2) await stage.stack.nats.kill();
      if (second === 4) await stage.stack.nats.restart();
      posted.push(...(await stage.post(100)));
      await waitUntil(() => performance.now() - startedAt > 1_000);
    }
    const missing = () => {
      const ids = new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id));
      return posted.filter(({ id }) => !ids.has(id));
    };
    // NATS hands deliveries that were on their way when it died out again after the ack wait.
    await waitUntil(() => missing().length === 0, { timeoutMs: 60_000, what: "every delivery" });
  });

  test("a quick receiver loses nothing of a backlog above its share of the queue; a hanging one does, and other servers do not wait", async ({
    onTestFinished,
  }) => {
    const stage = await startDispatchers(1, onTestFinished);
    await stage.dispatcher(0).kill();
    const receiver = await stage.receiver((response) => setTimeout(() => response.writeHead(204).end(), 20));
    const hanging = await stage.receiver(() => undefined);
    const [quickHook] = await createWebhooks(stage, 1, receiver.url);
    const [hangingHook] = await createWebhooks(stage, 1, hanging.url);
    if (quickHook === undefined || hangingHook === undefined) throw new Error("no webhook");
    const other = await createServerWithMembers(stage.client, 0);
    const others = await stage.receiver();
    await createWebhooks(other, 1, others.url);
    const posted = await stage.post(700);
    await stage.stack.startWebhookDispatcher();
    await stage.stack.startWebhookDispatcher();
    await receiver.waitFor(1);
    await postMessage(other.owner, other.channel.id, "behind 1,400 deliveries of the other server");
    await others.waitFor(1);
    expect(receiver.received.length).toBeLessThan(700);
    await receiver.waitFor(700, { timeoutMs: 60_000 });
    const ids = receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(new Set(ids)).toEqual(new Set(posted.map(({ id }) => id)));
    expect(ids).toHaveLength(posted.length);
    expect((await readLog(stage.owner, quickHook)).every(({ status }) => status === "delivered")).toBe(true);
    // It is not slow before its first attempt has ended, after 10 s.
    const isDropped = ({ status }: WebhookDelivery) => status === "dropped";
    await waitUntil(async () => (await readLog(stage.owner, hangingHook)).some(isDropped), { timeoutMs: 30_000 });
    // With its backlog gone it is as before: new jobs are enqueued at once.
    await waitUntil(async () => (await stage.metricOf(1, "webhook_backlogs")) === 0, { timeoutMs: 30_000 });
    await stage.post(1);
    await receiver.waitFor(701);
  });
});

describe("a dispatcher that is killed", () => {
  test("a dispatcher that is killed between two attempts leaves the count of attempts as it was", async ({
    onTestFinished,
  }) => {
    // The second attempt comes after the death of the dispatcher, however busy the machine is.
    const stage = await startDispatchers(1, onTestFinished, { "webhook-dispatcher": { retryDelaysMs: [5_000, 100] } });
    const receiver = await stage.receiver((response) => response.writeHead(500).end());
    const [webhook] = await createWebhooks(stage, 1, receiver.url);
    if (webhook === undefined) throw new Error("no webhook");
    await stage.post(1);
    await waitUntil(async () => (await readLog(stage.owner, webhook))[0]?.attempts === 1);
    await stage.dispatcher(0).kill();
    await stage.stack.startWebhookDispatcher();
    const attempts = await receiver.waitFor(3, { timeoutMs: 50_000 });
    expect(attempts.map(attemptOf)).toEqual([1, 2, 3]);
  });
});

describe("a receiver that hangs", () => {
  test("a receiver that hangs slows no other webhook of its server", async ({ onTestFinished }) => {
    const stage = await startDispatchers(1, onTestFinished);
    const underWay = { now: 0, most: 0 };
    const hanging = await stage.receiver((response) => {
      underWay.now += 1;
      underWay.most = Math.max(underWay.most, underWay.now);
      response.once("close", () => {
        underWay.now -= 1;
      });
    });
    const quick = await stage.receiver();
    // Together they wait with fewer deliveries than a server may have waiting.
    await createWebhooks(stage, 3, hanging.url);
    await createWebhooks(stage, 1, quick.url);
    await stage.post(1);
    await hanging.waitFor(3);
    // Many more than the 24 that the three may have under way.
    await stage.post(30);
    await quick.waitFor(31);
    expect(underWay.most).toBeLessThanOrEqual(24);
  });
});
