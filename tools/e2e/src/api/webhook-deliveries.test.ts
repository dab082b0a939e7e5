import { createHmac } from "node:crypto";
import { Channel, Message, Webhook } from "@parley/contracts";
import { createChannel, createServerWithMembers, postMessage, type RestClient, waitUntil } from "@parley/testing";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { attemptOf, eventOf, type Receiver, receiverOfTest, startReceiver } from "./webhook-receiver.js";
import { CreatedWebhook, createWebhook, createWebhooks, readLog, useWebhookStage } from "./webhook-stage.js";

const stage = useWebhookStage();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await receiverOfTest();
});

const address = (webhook: Webhook) => `/servers/${webhook.server_id}/webhooks/${webhook.id}`;
const read = async (webhook: Webhook, by: RestClient = stage.owner) =>
  (await by.get(address(webhook))).expect(200, Webhook.strict());
const Accepted = z.strictObject({ message: z.string() });

describe("a delivery", () => {
  test("a delivery carries the event's payload, signed over the exact bytes in both ways", async () => {
    const { webhook, secret } = await createWebhook(stage.owner, stage.server.id, {
      url: `${receiver.url}/hook?a=1#x`,
    });
    const message = await postMessage(stage.owner, stage.channel.id, 'Grüße 😀 "quoted"');
    const [delivery] = await receiver.waitFor(1);
    expect(delivery).toMatchObject({ method: "POST", path: "/hook?a=1" });
    if (delivery === undefined) throw new Error("no delivery");
    const { headers, body } = delivery;
    expect(JSON.parse(body.toString())).toEqual({
      event: "message.created",
      server_id: stage.server.id,
      data: message,
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-service-hook-id": webhook.id,
      "x-service-delivery-attempt": "1",
      "x-service-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      "x-service-delivery-id": headers["webhook-id"],
      "user-agent": expect.stringMatching(/^Parley-Webhooks\//),
    });
    const standard = new StandardWebhook(`whsec_${Buffer.from(secret).toString("base64")}`);
    const signed = z
      .record(z.string(), z.string())
      .parse(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("webhook-"))));
    expect(standard.verify(body, signed)).toMatchObject({ event: "message.created" });
    expect(() => standard.verify(`${body.toString()} `, signed)).toThrow();
  });

  test("a delivery tells of creation, change and deletion in every channel, threads and polls included", async () => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    const hidden = await createChannel(stage.owner, stage.server.id, { name: "hidden" });
    const message = await postMessage(stage.owner, hidden.id, "one");
    const edited = (await stage.owner.patch(`/messages/${message.id}`, { content: "two" })).expect(200, Message);
    const reply = (
      await stage.owner.post(`/channels/${hidden.id}/messages/${message.id}/thread`, { content: "reply" })
    ).expect(201, Message);
    const poll = (
      await stage.owner.post(`/channels/${hidden.id}/polls`, { question: "Tea?", options: ["yes", "no"] })
    ).expect(201, Message);
    expect((await stage.owner.delete(`/messages/${message.id}`)).status).toBe(204);
    const received = (await receiver.waitFor(5)).map(({ body }) => JSON.parse(body.toString()));
    const wrap = (event: string, data: unknown) => ({ event, server_id: stage.server.id, data });
    const expected = [
      wrap("message.created", message),
      wrap("message.updated", edited),
      wrap("message.created", reply),
      wrap("message.created", poll),
      wrap("message.deleted", { id: message.id, channel_id: hidden.id }),
    ];
    expect(received).toHaveLength(5);
    expect(received).toEqual(expect.arrayContaining(expected));
    expect((await waitUntil(async () => (await read(webhook)).last_used_at)).length).toBeGreaterThan(0);
  });

  test("a delivery comes only for subscribed types, only from its own server, and never for what was before", async () => {
    await postMessage(stage.owner, stage.channel.id, "before");
    await createWebhook(stage.owner, stage.server.id, {
      url: receiver.url,
      event_types: ["message.deleted", "member.joined"],
    });
    const other = await createServerWithMembers(stage.client, 0);
    const elsewhere = await postMessage(other.owner, other.channel.id, "elsewhere");
    await other.owner.delete(`/messages/${elsewhere.id}`);
    const member = await stage.client.register();
    await member.post(`/servers/${stage.server.id}/join`);
    const message = await postMessage(stage.owner, stage.channel.id, "here");
    await stage.owner.delete(`/messages/${message.id}`);
    await receiver.waitFor(1);
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    expect((await stage.owner.post(`${address(webhook)}/test`)).status).toBe(202);
    await receiver.waitFor(2);
    expect(receiver.received.map(eventOf)).toEqual(["message.deleted", "ping"]);
    expect((await stage.owner.get(`/channels/${stage.channel.id}`)).expect(200, Channel).id).toBe(stage.channel.id);
  });
});

describe("a disabled webhook", () => {
  test("a disabled webhook gets nothing, neither events nor pings, until it is enabled again", async () => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    const witness = await receiverOfTest();
    await createWebhook(stage.owner, stage.server.id, { url: witness.url });
    (await stage.owner.patch(address(webhook), { enabled: false })).expect(200, Webhook);
    await postMessage(stage.owner, stage.channel.id, "unheard");
    // Which webhooks are enabled is read when an event is queued, of all webhooks of the server at once.
    await witness.waitFor(1);
    const ping = await stage.owner.post(`${address(webhook)}/test`);
    expect(ping.expect(202, Accepted)).toEqual({ message: "Test event queued" });
    (await stage.owner.patch(address(webhook), { enabled: true })).expect(200, Webhook);
    const heard = await postMessage(stage.owner, stage.channel.id, "heard");
    const [delivery] = await receiver.waitFor(1);
    expect(JSON.parse(String(delivery?.body)).data.id).toBe(heard.id);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("a ping", () => {
  test("a ping is a delivery like others and does not change updated_at", async () => {
    const { webhook } = await createWebhook(stage.owner, stage.server.id, { url: receiver.url });
    (await stage.owner.post(`${address(webhook)}/test`)).expect(202, Accepted);
    const [delivery] = await receiver.waitFor(1);
    expect(JSON.parse(String(delivery?.body))).toEqual({
      event: "ping",
      server_id: stage.server.id,
      data: { webhook_id: webhook.id, server_name: stage.server.name, message: "This is a test event." },
    });
    const used = await waitUntil(async () => {
      const now = await read(webhook);
      return now.last_used_at !== null && now;
    });
    expect(used).toEqual({ ...webhook, last_used_at: used.last_used_at });
  });
});

// They wait for pauses, all at the same time, so each has a server of its own.
describe.concurrent("a failing receiver", () => {
  test("a delivery to a failing receiver is tried at once, after 5 and after 15 seconds, with the same bytes and delivery id", async ({
    onTestFinished,
  }) => {
    const own = await createServerWithMembers(stage.client, 0);
    const receiver = await startReceiver((response) => {
      response.statusCode = 500;
      response.end("no");
    });
    onTestFinished(receiver.close);
    const { webhook } = await createWebhook(own.owner, own.server.id, { url: receiver.url });
    // Several more, for the pauses: a busy machine may prolong one.
    const others = await createWebhooks(own, 2, receiver.url);
    const attemptsOf = ({ id }: Webhook) =>
      receiver.received.filter(({ headers }) => headers["x-service-hook-id"] === id);
    await postMessage(own.owner, own.channel.id, "again and again");
    await receiver.waitFor(3);
    const [first] = await waitUntil(async () => {
      const log = await readLog(own.owner, webhook);
      return log.length > 0 && log;
    });
    expect(first).toMatchObject({ status: "pending", attempts: 1, response_status: 500, finished_at: null });

    await receiver.waitFor(9, { timeoutMs: 25_000 });
    const attempts = attemptsOf(webhook);
    expect(attempts.map(attemptOf)).toEqual([1, 2, 3]);
    const pauses = [webhook, ...others].map((each) => {
      const [one = 0, two = 0, three = 0] = attemptsOf(each).map(({ at }) => at);
      return [two - one, three - two];
    });
    const [second, third] = [0, 1].map((pause) => Math.min(...pauses.map((each) => each[pause] ?? 0)));
    expect(second).toBeGreaterThan(4_950);
    expect(second).toBeLessThan(6_000);
    expect(third).toBeGreaterThan(14_950);
    expect(third).toBeLessThan(16_000);
    expect(new Set(attempts.map(({ body }) => body.toString("base64"))).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers["x-service-delivery-id"])).size).toBe(1);

    const counted = await waitUntil(async () => {
      const now = await read(webhook, own.owner);
      return now.delivery_failures > 0 && now;
    });
    expect(counted).toMatchObject({ delivery_failures: 1, last_used_at: null, enabled: true });
    expect(await readLog(own.owner, webhook)).toEqual([
      {
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
      },
    ]);
  }, 40_000);

  test("a delivery to a failing receiver is signed with the secret of the moment: a new one signs also what was queued before", async ({
    onTestFinished,
  }) => {
    const own = await createServerWithMembers(stage.client, 0);
    const receiver = await startReceiver((response, { n }) => {
      response.statusCode = n === 0 ? 503 : 200;
      response.end();
    });
    onTestFinished(receiver.close);
    const { webhook, secret } = await createWebhook(own.owner, own.server.id, { url: receiver.url });
    await postMessage(own.owner, own.channel.id, "before the rotation");
    await receiver.waitFor(1);
    const path = `/servers/${own.server.id}/webhooks/${webhook.id}/rotate-secret`;
    const rotated = (await own.owner.post(path)).expect(200, CreatedWebhook);
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

  test("counts as working again after one success, and a success on the second attempt is no failure", async ({
    onTestFinished,
  }) => {
    const own = await createServerWithMembers(stage.client, 0);
    const receiver = await startReceiver((response, { n }) => {
      response.statusCode = n === 0 ? 503 : 200;
      response.end();
    });
    onTestFinished(receiver.close);
    const { webhook } = await createWebhook(own.owner, own.server.id, { url: receiver.url });
    await postMessage(own.owner, own.channel.id, "second time lucky");
    const attempts = await receiver.waitFor(2);
    expect(attempts.map(attemptOf)).toEqual([1, 2]);
    const now = await waitUntil(async () => {
      const row = await read(webhook, own.owner);
      return row.last_used_at !== null && row;
    });
    expect(now.delivery_failures).toBe(0);
    expect(await readLog(own.owner, webhook)).toMatchObject([
      { status: "delivered", attempts: 2, response_status: 200, error: null },
    ]);
  });

  test("gets no further attempt once the webhook is disabled or deleted", async ({ onTestFinished }) => {
    const own = await createServerWithMembers(stage.client, 0);
    const receiver = await startReceiver((response) => {
      response.statusCode = 500;
      response.end();
    });
    onTestFinished(receiver.close);
    const { webhook } = await createWebhook(own.owner, own.server.id, { url: `${receiver.url}/disabled` });
    const { webhook: deleted } = await createWebhook(own.owner, own.server.id, { url: `${receiver.url}/deleted` });
    const { webhook: kept } = await createWebhook(own.owner, own.server.id, { url: `${receiver.url}/kept` });
    await postMessage(own.owner, own.channel.id, "hello");
    await receiver.waitFor(3);
    (await own.owner.patch(address(webhook), { enabled: false })).expect(200, Webhook);
    expect((await own.owner.delete(address(deleted))).status).toBe(204);
    const isSecond = (delivery: Parameters<typeof attemptOf>[0]) => attemptOf(delivery) === 2;
    const [second] = await receiver.waitFor(1, { predicate: isSecond });
    expect(second?.headers["x-service-hook-id"]).toBe(kept.id);
    const [entry] = await waitUntil(async () => {
      const log = await readLog(own.owner, webhook);
      return log[0]?.status === "failed" && log;
    });
    expect(entry).toMatchObject({ attempts: 1, error: "The webhook was disabled" });
    expect(receiver.received.filter(isSecond)).toHaveLength(1);
    expect((await read(webhook, own.owner)).delivery_failures).toBe(0);
  });
});
