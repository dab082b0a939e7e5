import type { Webhook } from "@parley/contracts";
import { errorBody } from "@parley/contracts";
import { createClient, postMessage, startNatsProxy, waitUntil } from "@parley/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { attemptOf, type Receiver, receiverOfTest } from "../stages/webhook-receiver.js";
import { createWebhook, readLog as readDeliveryLog, useMortalWebhookStage } from "../stages/webhook-stage.js";

const stage = useMortalWebhookStage();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await receiverOfTest();
});

const address = (webhook: Webhook) => `/servers/${webhook.server_id}/webhooks/${webhook.id}`;
const readLog = (webhook: Webhook) => readDeliveryLog(stage.owner, webhook);
const Accepted = z.strictObject({ message: z.string() });

describe("the delivery log", () => {
  test("the delivery log lets a delivery be sent again under its id and with its bytes", async () => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    await postMessage(stage.owner, stage.channel.id, "twice");
    await receiver.waitFor(1);
    const [entry] = await waitUntil(async () => {
      const log = await readLog(webhook);
      return log[0]?.status === "delivered" && log;
    });
    const redeliver = `${address(webhook)}/deliveries/${entry?.id}/redeliver`;
    expect((await stage.owner.post(redeliver)).expect(202, Accepted)).toEqual({ message: "Delivery queued" });
    const [one, two] = await receiver.waitFor(2);
    expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
    expect(two?.headers["webhook-id"]).toBe(entry?.id);
    await waitUntil(async () => (await readLog(webhook))[0]?.status === "delivered");
    expect(await readLog(webhook)).toHaveLength(1);

    const missing = await stage.owner.post(`${address(webhook)}/deliveries/${webhook.id}/redeliver`);
    expect([missing.status, missing.body]).toEqual([404, errorBody("Delivery not found")]);
    const stranger = await stage.client.register();
    expect((await stranger.post(redeliver)).status).toBe(403);
    expect((await stranger.get(`${address(webhook)}/deliveries`)).status).toBe(403);
  });

  test("the delivery log keeps the attempts of a delivery that somebody without a way to the queue wants to have sent again", async () => {
    let status = 500;
    const failing = await receiverOfTest((response) => response.writeHead(status).end());
    const proxy = await startNatsProxy(stage.stack.nats.url);
    const cutOff = await stage.stack.startApi({ natsUrl: proxy.url });
    try {
      const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: failing.url });
      await postMessage(stage.owner, stage.channel.id, "twice");
      await waitUntil(async () => ((await readLog(webhook))[0]?.attempts ?? 0) > 0);
      // With the dispatchers stopped, no attempt comes between the request and the compared log.
      await Promise.all(stage.stack.webhookDispatchers.map((dispatcher) => dispatcher.stop()));
      status = 204;
      const before = await readLog(webhook);
      const attempts = before[0]?.attempts ?? 0;
      expect(before[0]?.status).toBe("pending");
      proxy.cut();
      const caller = createClient(cutOff.url, { authorization: `Bearer ${stage.owner.accessToken}` });
      await waitUntil(async () => (await caller.get("/health/ready")).status === 503);
      const again = await caller.post(`${address(webhook)}/deliveries/${before[0]?.id}/redeliver`);
      expect(again.status).toBe(503);
      expect(await readLog(webhook)).toEqual(before);
      await Promise.all(stage.stack.webhookDispatchers.map((dispatcher) => dispatcher.restart()));
      const received = await failing.waitFor(attempts + 1);
      expect(received.map(attemptOf).at(-1)).toBe(attempts + 1);
      await waitUntil(async () => (await readLog(webhook))[0]?.status === "delivered");
    } finally {
      await stage.stack.dismiss(cutOff);
      await proxy.close();
    }
  });

  test("the delivery log keeps the latest hundred", async () => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    for (let round = 0; round < 11; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => postMessage(stage.owner, stage.channel.id, `${round}.${n}`)),
      );
    }
    await receiver.waitFor(110);
    const log = await waitUntil(async () => {
      const entries = await readLog(webhook);
      return entries.length === 100 && entries.every(({ status }) => status === "delivered") && entries;
    });
    const ids = log.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(receiver.received).toHaveLength(110);
  });
});
