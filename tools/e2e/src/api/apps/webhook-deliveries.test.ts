import { createHmac } from "node:crypto";
import { Channel, Message, Webhook } from "@parley/contracts";
import { createChannel, createServerWithMembers, postMessage, type RestClient, waitUntil } from "@parley/testing";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { eventOf, type Receiver, receiverOfTest } from "../stages/webhook-receiver.js";
import { createWebhook, useWebhookStage } from "../stages/webhook-stage.js";

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

  test("deliveries cover creation, change and deletion in every channel, threads and polls included", async () => {
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

  test("a delivery comes only for subscribed types, only from its own server, and never for earlier events", async () => {
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
