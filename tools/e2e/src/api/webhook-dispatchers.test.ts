import type { ServerResponse } from "node:http";
import type { Message, WebhookDelivery } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type StackOptions,
  startStack,
  waitUntil,
} from "@parley/testing";
import { describe, expect, type TestContext, test } from "vitest";
import { attemptOf, type ReceivedDelivery, startReceiver } from "./webhook-receiver.js";
import { createWebhooks, readLog } from "./webhook-stage.js";

type OnTestFinished = TestContext["onTestFinished"];

/** Starts a stack of the test's own. */
async function start(webhookDispatchers: number, onTestFinished: OnTestFinished, limits: StackOptions["limits"] = {}) {
  const stack = await startStack({ apis: 1, gateways: 0, webhookDispatchers, limits });
  onTestFinished(stack.stop);
  const client = createClient(stack.edgeUrl);
  const fixture = await createServerWithMembers(client, 0);
  const dispatcher = (n: number) => {
    const process = stack.webhookDispatchers[n];
    if (process === undefined) throw new Error("no such dispatcher");
    return process;
  };
  const metricOf = async (n: number, name: string) => {
    const text = await (await fetch(`${dispatcher(n).url}/metrics`)).text();
    return Number(new RegExp(`^${name}[^ ]* (\\d+)`, "m").exec(text)?.[1] ?? 0);
  };
  return {
    ...fixture,
    stack,
    client,
    dispatcher,
    metricOf,
    deliveredBy: (n: number) => metricOf(n, 'webhook_deliveries_total\\{outcome="delivered"'),
    receiver: async (...options: Parameters<typeof startReceiver>) => {
      const receiver = await startReceiver(...options);
      onTestFinished(receiver.close);
      return receiver;
    },
    post: async (count: number): Promise<Message[]> => {
      const messages: Message[] = [];
      while (messages.length < count) {
        const texts = Array.from({ length: Math.min(20, count - messages.length) }, (_, n) => `${messages.length + n}`);
        const posted = texts.map((text) => postMessage(fixture.owner, fixture.channel.id, text));
        messages.push(...(await Promise.all(posted)));
      }
      return messages;
    },
  };
}

const keyOf = ({ headers }: ReceivedDelivery) => String(headers["x-service-delivery-id"]);

describe("two dispatchers", () => {
  test("two dispatchers share the deliveries and make each that succeeds once", async ({ onTestFinished }) => {
    const stage = await start(2, onTestFinished);
    const receiver = await stage.receiver();
    const created = await createWebhooks(stage, 3, receiver.url);
    await stage.post(200);
    await receiver.waitFor(600);
    await waitUntil(async () => (await stage.deliveredBy(0)) + (await stage.deliveredBy(1)) === 600);
    expect(await stage.deliveredBy(0)).toBeGreaterThan(50);
    expect(await stage.deliveredBy(1)).toBeGreaterThan(50);
    expect(receiver.received).toHaveLength(600);
    expect(new Set(receiver.received.map(keyOf)).size).toBe(600);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-hook-id"])).size).toBe(created.length);
  });

  test("one dispatcher takes over what the other had when it is stopped in order, at once", async ({
    onTestFinished,
  }) => {
    const stage = await start(2, onTestFinished);
    const receiver = await stage.receiver((response) => setTimeout(() => response.writeHead(204).end(), 20));
    await createWebhooks(stage, 2, receiver.url);
    const posting = stage.post(200);
    await receiver.waitFor(20);
    await stage.dispatcher(0).stop();
    await posting;
    await receiver.waitFor(400);
    expect(new Set(receiver.received.map(keyOf)).size).toBe(400);
    expect(receiver.received).toHaveLength(400);
  });
});

// Both wait for most of their time.
describe.concurrent("a dispatcher that is killed", () => {
  test("a dispatcher that is killed loses none of 500 waiting jobs and 50 under way; what was under way is tried again as the same attempt", async ({
    onTestFinished,
  }) => {
    const stage = await start(1, onTestFinished);
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
  }, 60_000);

  test("a dispatcher that is killed between two attempts leaves the count of attempts as it was", async ({
    onTestFinished,
  }) => {
    // The second attempt comes after the death of the dispatcher, however busy the machine is.
    const stage = await start(1, onTestFinished, { "webhook-dispatcher": { retryDelaysMs: [5_000, 100] } });
    const receiver = await stage.receiver((response) => response.writeHead(500).end());
    const [webhook] = await createWebhooks(stage, 1, receiver.url);
    if (webhook === undefined) throw new Error("no webhook");
    await stage.post(1);
    await waitUntil(async () => (await readLog(stage.owner, webhook))[0]?.attempts === 1);
    await stage.dispatcher(0).kill();
    await stage.stack.startWebhookDispatcher();
    const attempts = await receiver.waitFor(3, { timeoutMs: 50_000 });
    expect(attempts.map(attemptOf)).toEqual([1, 2, 3]);
  }, 70_000);
});

describe("a receiver that hangs", () => {
  test("a receiver that hangs slows no other webhook of its server", async ({ onTestFinished }) => {
    const stage = await start(1, onTestFinished);
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
    await stage.post(200);
    await quick.waitFor(201, { timeoutMs: 40_000 });
    // Of the 80 attempts that a dispatcher has under way at most.
    expect(underWay.most).toBeLessThanOrEqual(24);
  });
});

describe("a quick receiver", () => {
  test("a quick receiver gets every delivery of 100 messages a second while NATS is killed and started again", async ({
    onTestFinished,
  }) => {
    const stage = await start(2, onTestFinished);
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
    // What was on its way when NATS died is handed out again after the ack wait.
    await waitUntil(() => missing().length === 0, { timeoutMs: 60_000, what: "every delivery" });
  }, 120_000);

  test("a quick receiver loses nothing of a backlog above its share of the queue; a hanging one does, and other servers do not wait", async ({
    onTestFinished,
  }) => {
    const stage = await start(1, onTestFinished);
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
    // With its backlog gone it is as before: what comes is enqueued at once.
    await waitUntil(async () => (await stage.metricOf(1, "webhook_backlogs")) === 0, { timeoutMs: 30_000 });
    await stage.post(1);
    await receiver.waitFor(701);
  }, 120_000);
});

describe("while NATS is away", () => {
  test("deliveries wait while NATS is away, and none is lost", async ({ onTestFinished }) => {
    const stage = await start(1, onTestFinished);
    const receiver = await stage.receiver();
    await createWebhooks(stage, 1, receiver.url);
    await stage.post(1);
    await receiver.waitFor(1);
    await stage.stack.nats.kill();
    const posted = await stage.post(10);
    await stage.stack.nats.restart();
    await receiver.waitFor(11, { timeoutMs: 20_000 });
    const ids = receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(ids).toEqual(expect.arrayContaining(posted.map(({ id }) => id)));
  }, 60_000);
});
