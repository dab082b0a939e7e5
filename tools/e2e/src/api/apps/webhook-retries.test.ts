import { createHmac } from "node:crypto";
import { Webhook } from "@parley/contracts";
import { createGate, postMessage, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { attemptOf, receiverOfTest } from "../stages/webhook-receiver.js";
import { CreatedWebhook, createWebhook, readLog, useOwnWebhookStage } from "../stages/webhook-stage.js";

const pauseMs = 200;
// Its own: pauses between attempts are short.
const stage = useOwnWebhookStage({
  apis: 1,
  webhookDispatchers: 2,
  limits: { "webhook-dispatcher": { retryDelaysMs: [pauseMs, 3 * pauseMs] } },
});

const address = (webhook: Webhook) => `/servers/${webhook.server_id}/webhooks/${webhook.id}`;
const read = async (webhook: Webhook) => (await stage.owner.get(address(webhook))).expect(200, Webhook.strict());
const untilEnded = (webhook: Webhook) =>
  waitUntil(async () => (await readLog(stage.owner, webhook)).find(({ finished_at }) => finished_at !== null), {
    what: "the end of the delivery",
  });

describe("a failing receiver", () => {
  test("a delivery to a failing receiver is tried three times with the pauses between, with the same bytes and delivery id", async () => {
    const second = createGate();
    const receiver = await receiverOfTest((response, { n }) => {
      response.statusCode = 500;
      // The test can read the log between two attempts while the second one waits.
      void (n === 1 ? second.opened : Promise.resolve()).then(() => response.end("no"));
    });
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    await postMessage(stage.owner, stage.channel.id, "again and again");
    await receiver.waitFor(2);
    const [pending] = await readLog(stage.owner, webhook);
    expect(pending).toMatchObject({ status: "pending", attempts: 1, response_status: 500, finished_at: null });
    const openedAt = performance.now();
    second.open();

    const ended = await untilEnded(webhook);
    const attempts = receiver.received;
    expect(attempts.map(attemptOf)).toEqual([1, 2, 3]);
    const [one, two, three] = attempts.map(({ at }) => at);
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(0.9 * pauseMs);
    expect((three ?? 0) - openedAt).toBeGreaterThanOrEqual(0.9 * 3 * pauseMs);
    expect(new Set(attempts.map(({ body }) => body.toString("base64"))).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers["x-service-delivery-id"])).size).toBe(1);
    expect(await read(webhook)).toMatchObject({ delivery_failures: 1, last_used_at: null, enabled: true });
    expect(await readLog(stage.owner, webhook)).toEqual([ended]);
    expect(ended).toEqual({
      id: attempts[0]?.headers["x-service-delivery-id"],
      webhook_id: webhook.id,
      event: "message.created",
      status: "failed",
      attempts: 3,
      response_status: 500,
      duration_ms: expect.any(Number),
      error: "Answered 500",
      created_at: expect.any(String),
      finished_at: expect.any(String),
    });
  });

  test("a delivery to a failing receiver is signed with the secret of the moment: a new one also signs deliveries queued before", async () => {
    const rotation = createGate();
    const receiver = await receiverOfTest((response, { n }) => {
      response.statusCode = n === 0 ? 503 : 200;
      void (n === 0 ? rotation.opened : Promise.resolve()).then(() => response.end());
    });
    const { webhook, secret } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    await postMessage(stage.owner, stage.channel.id, "before the rotation");
    await receiver.waitFor(1);
    const rotated = (await stage.owner.post(`${address(webhook)}/rotate-secret`)).expect(200, CreatedWebhook);
    rotation.open();
    const attempts = await receiver.waitFor(2);
    expect(attempts.map(({ headers }) => headers["x-service-signature-256"])).toEqual(
      [secret, rotated.secret].map(
        (key, n) =>
          `sha256=${createHmac("sha256", key)
            .update(attempts[n]?.body ?? "")
            .digest("hex")}`,
      ),
    );
  });

  test("counts as working again after one success, and a success on the second attempt is no failure", async () => {
    const receiver = await receiverOfTest((response, { n }) => {
      response.statusCode = n === 0 ? 503 : 200;
      response.end();
    });
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    await postMessage(stage.owner, stage.channel.id, "second time lucky");
    const ended = await untilEnded(webhook);
    expect(receiver.received.map(attemptOf)).toEqual([1, 2]);
    expect(ended).toMatchObject({ status: "delivered", attempts: 2, response_status: 200, error: null });
    const { last_used_at, delivery_failures } = await read(webhook);
    expect([last_used_at, delivery_failures]).toEqual([expect.any(String), 0]);
  });

  test("gets no further attempt once the webhook is disabled or deleted", async () => {
    const ends = createGate();
    const receiver = await receiverOfTest((response) => {
      response.statusCode = 500;
      void ends.opened.then(() => response.end());
    });
    const create = (path: string) =>
      createWebhook(stage.owner, stage.server.id, { url: `${receiver.url}/${path}`, name: path });
    const [{ webhook }, { webhook: deleted }, { webhook: kept }] = [
      await create("disabled"),
      await create("deleted"),
      await create("kept"),
    ];
    await postMessage(stage.owner, stage.channel.id, "hello");
    await receiver.waitFor(3);
    (await stage.owner.patch(address(webhook), { enabled: false })).expect(200, Webhook);
    expect((await stage.owner.delete(address(deleted))).status).toBe(204);
    ends.open();
    // The others' second attempts would have come before the third of this one.
    await receiver.waitFor(1, { predicate: (delivery) => attemptOf(delivery) === 3 });
    expect(receiver.received.filter((delivery) => attemptOf(delivery) > 1).map(({ path }) => path)).toEqual([
      "/kept",
      "/kept",
    ]);
    expect((await untilEnded(kept)).status).toBe("failed");
    expect(await untilEnded(webhook)).toMatchObject({
      status: "failed",
      attempts: 1,
      error: "The webhook was disabled",
    });
    expect((await read(webhook)).delivery_failures).toBe(0);
  });
});
