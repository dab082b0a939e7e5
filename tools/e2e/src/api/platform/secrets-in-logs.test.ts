import { randomBytes } from "node:crypto";
import { Attachment } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  postMessage,
  startStack,
  type TestStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createWebhook, pingOnce } from "../stages/webhook-stage.js";

let stack: TestStack;
beforeAll(async () => {
  // Its own: its services log all there is, which is searched.
  stack = await startStack({ apis: 1, gateways: 1, automods: 1, webhookDispatchers: 1, env: { LOG_LEVEL: "debug" } });
});
afterAll(() => stack?.stop());

const CreatedBot = z.object({ token: z.string() });

/** Uses every kind of secret, in ways that succeed and in ways that are refused, and returns all of them. */
async function useSecrets(): Promise<Record<string, string>> {
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const { owner, server, channel } = await createServerWithMembers(client, 0);
  const wrongPassword = `wrong-${randomBytes(8).toString("hex")}`;
  const { username, password, accessToken, refreshToken } = owner;
  await client.post("/auth/login", { username, password: wrongPassword });
  await client.post("/auth/refresh", { refresh_token: `${refreshToken}x` });
  await client.send("POST", "/auth/login", {
    body: `{"username":"${username}","password":"${password}`,
    headers: json,
  });
  const { token: botToken } = (await owner.post("/bots", { name: "bot" })).expect(201, CreatedBot);
  await client.withAuthorization(`Bot ${botToken}`).get("/users/@me");
  const unknownToken = randomBytes(32).toString("hex");
  await client.withAuthorization(`Bot ${unknownToken}`).get("/users/@me");

  const sockets = [`token=${accessToken}`, `bot_token=${botToken}`].map((query) =>
    connectGateway(stack.edgeUrl, "", { query }),
  );
  await Promise.all(sockets.map(({ ready }) => ready));
  for (const socket of sockets) socket.terminate();
  for (const query of [`token=${accessToken}x`, `bot_token=${unknownToken}`]) {
    await connectGateway(stack.edgeUrl, "", { query }).rejected;
  }

  const message = await postMessage(owner, channel.id, "with a file");
  const form = new FormData();
  form.append("files", new Blob(["text"]), "note.txt");
  const uploaded = await owner.send("POST", `/messages/${message.id}/attachments`, { body: form });
  const [{ url }] = uploaded.expect(201, z.tuple([Attachment]));
  await client.get(url);
  await client.get(`${url}0`);
  // Nothing listens there: the failure is logged.
  const { webhook, secret } = await createWebhook(owner, server.id, { url: "http://user:hook-password@127.0.0.1:9/" });
  await pingOnce(owner, webhook);

  return {
    "a password": password,
    "a wrong password": wrongPassword,
    "an access token": accessToken,
    "a refresh token": refreshToken,
    "a bot token": botToken,
    "an unknown bot token": unknownToken,
    "the signature of a file's address": new URL(url, stack.edgeUrl).search.slice(1),
    "a webhook's secret": secret,
    "a password in a webhook's URL": "hook-password",
    "the secret of access tokens": stack.jwtSecret,
    "the database's password": new URL(stack.databaseUrl).password,
  };
}

const json = { "content-type": "application/json" };

test("no service writes a secret, whether it was accepted, refused or a server failed meanwhile", async () => {
  const whole = await useSecrets();
  expect(Object.values(whole).filter((secret) => secret.length < 10)).toEqual([]);
  // An internal error is logged with its causes.
  await stack.redis.kill();
  const written = stack.output().length;
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  await client.withAuthorization(`Bot ${whole["a bot token"]}`).get("/users/@me");
  await client.withAuthorization(`Bearer ${whole["an access token"]}`).get("/servers");
  await waitUntil(() => stack.output().length > written, { what: "a log line about Redis" });
  await stack.redis.restart();
  const lines = stack.output();
  const found = Object.entries(whole).flatMap(([kind, secret]) =>
    lines.filter((line) => line.includes(secret)).map((line) => [kind, line]),
  );
  expect(found).toEqual([]);
  const tokenLike = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/;
  expect(lines.filter((line) => tokenLike.test(line))).toEqual([]);
});
