import { useMortalStack, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { createWebhooks } from "../stages/webhook-stage.js";
import { createDispatchersStage, keyOf } from "./webhook-dispatchers-stage.js";

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
    expect(Math.min(one, other)).toBeGreaterThan(0);
    expect(receiver.received).toHaveLength(180);
    expect(new Set(receiver.received.map(keyOf)).size).toBe(180);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-hook-id"])).size).toBe(created.length);
  });

  test("one dispatcher takes over the other's jobs when that is stopped in order, at once", async ({
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
