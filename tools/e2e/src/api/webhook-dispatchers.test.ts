import { useMortalStack, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { createDispatchersStage, keyOf, startDispatchers } from "./webhook-dispatchers-stage.js";
import { attemptOf } from "./webhook-receiver.js";
import { createWebhooks, readLog } from "./webhook-stage.js";

const mortal = useMortalStack();

describe("two dispatchers", () => {
  test("two dispatchers share the deliveries and make each that succeeds once", async ({ onTestFinished }) => {
    const stage = await createDispatchersStage(mortal.stack, onTestFinished);
    const receiver = await stage.receiver();
    const created = await createWebhooks(stage, 3, receiver.url);
    const before = [await stage.deliveredBy(0), await stage.deliveredBy(1)] as const;
    const shares = async () =>
      [(await stage.deliveredBy(0)) - before[0], (await stage.deliveredBy(1)) - before[1]] as const;
    await stage.post(60);
    await receiver.waitFor(180);
    const [one, other] = await waitUntil(async () => {
      const counts = await shares();
      return counts[0] + counts[1] === 180 && counts;
    });
    expect(Math.min(one, other)).toBeGreaterThan(15);
    expect(receiver.received).toHaveLength(180);
    expect(new Set(receiver.received.map(keyOf)).size).toBe(180);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-hook-id"])).size).toBe(created.length);
  });

  test("one dispatcher takes over what the other had when it is stopped in order, at once", async ({
    onTestFinished,
  }) => {
    const stage = await createDispatchersStage(mortal.stack, onTestFinished);
    const receiver = await stage.receiver((response) => setTimeout(() => response.writeHead(204).end(), 20));
    await createWebhooks(stage, 2, receiver.url);
    const posting = stage.post(60);
    await receiver.waitFor(20);
    await stage.dispatcher(0).stop();
    await posting;
    await receiver.waitFor(120);
    expect(new Set(receiver.received.map(keyOf)).size).toBe(120);
    expect(receiver.received).toHaveLength(120);
    await stage.dispatcher(0).restart();
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

describe("while NATS is away", () => {
  test("deliveries wait while NATS is away, and none is lost", async ({ onTestFinished }) => {
    const stage = await createDispatchersStage(mortal.stack, onTestFinished);
    const receiver = await stage.receiver();
    await createWebhooks(stage, 1, receiver.url);
    await stage.post(1);
    await receiver.waitFor(1);
    await stage.stack.nats.kill();
    const posted = await stage.post(10);
    await stage.stack.nats.restart();
    await receiver.waitFor(11);
    const ids = receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(ids).toEqual(expect.arrayContaining(posted.map(({ id }) => id)));
  });
});
