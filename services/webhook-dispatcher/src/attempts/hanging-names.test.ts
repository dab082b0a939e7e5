import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNameResolver } from "@parley/egress";
import { startNameServer, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import webPush from "web-push";
import { askBot } from "../bots/ask-bot.js";
import { createSendPush } from "../push/send-push.js";
import { deliver } from "../webhooks/deliver.js";
import { createHttpClient, type HttpClient } from "./http-client.js";

/** Sends something to a host for an owner; resolves with whether it was taken. */
type Send = (url: string, ownerId: string) => Promise<boolean>;

const secret = "s";
const body = Buffer.from("{}");

const deliveries = (client: HttpClient): Send => {
  return async (url, ownerId) => {
    const attempt = { webhookId: randomUUID(), deliveryId: randomUUID(), ownerId, url, secret, number: 1, body };
    return (await deliver(client, attempt)).ok;
  };
};

const questionsToBots = (client: HttpClient): Send => {
  return async (url, ownerId) => {
    const dueAt = performance.now() + 3_000;
    const request = { interactionId: randomUUID(), receiverId: randomUUID(), ownerId, url, secret, body, dueAt };
    return (await askBot(client, request)).outcome === "answered";
  };
};

const pushes = (client: HttpClient): Send => {
  const key = webPush.generateVAPIDKeys();
  const send = createSendPush({ client, contact: "mailto:a@example.com", readKey: async () => key });
  const p256dh = createECDH("prime256v1").generateKeys("base64url");
  const auth = randomBytes(16).toString("base64url");
  return async (endpoint, ownerId) => {
    const begin = async (write: () => void) => {
      write();
      return true;
    };
    return (await send({ endpoint, ownerId, p256dh, auth, payload: body, isUrgent: false, begin })).status === 200;
  };
};

test.each<[string, (client: HttpClient) => Send]>([
  ["deliveries", deliveries],
  ["questions to bots", questionsToBots],
  ["pushes", pushes],
])("while the names of one owner hang, all %s of others are taken", async (_, createSend) => {
  const nameServer = await startNameServer();
  const receiver = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const names = createNameResolver({ knowsLocalNames: false, servers: [nameServer.address] });
  const client = createHttpClient({ allowsAddress: () => true, names, connectTimeoutMs: 10_000 });
  onTestFinished(async () => {
    await client.close();
    receiver.close();
    nameServer.close();
  });
  const send = createSend(client);
  const hanging = Array.from({ length: 200 }, (__, n) => send(`http://${n}.hang.test:${port}/`, "hanging"));
  await waitUntil(() => nameServer.asked.length > 20);
  const others = Array.from({ length: 20 }, (__, n) => send(`http://${n}.others.test:${port}/`, `other ${n}`));
  expect(await Promise.all(others)).toEqual(others.map(() => true));
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => false));
});
