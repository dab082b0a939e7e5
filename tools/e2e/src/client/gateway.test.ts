import { createClient, type Gateway, type GatewayEvents, type Message, type ParleyClient } from "@parley/client";
import { type MortalStack, useMortalStack, waitUntil } from "@parley/testing";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEdgeProxy } from "./edge-proxy.js";

const backoff = { baseMs: 20, maxMs: 200 };
const mortal = useMortalStack();
let stack: MortalStack;
let client: ParleyClient;
let channelId: string;
let serverId: string;
const gateways: Gateway[] = [];

beforeAll(async () => {
  ({ stack } = mortal);
});
beforeEach(async () => {
  client = createClient({ baseUrl: stack.edgeUrl });
  await client.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  serverId = (await client.servers.create({ name: "Chess club", is_public: true })).id;
  channelId = (await client.channels.create(serverId, { name: "general" })).id;
});
afterEach(() => {
  for (const gateway of gateways.splice(0)) gateway.close();
});

function open(by: ParleyClient, options: Parameters<ParleyClient["gateway"]>[0] = {}): Gateway {
  const gateway = by.gateway({ backoff, ...options });
  gateways.push(gateway);
  return gateway;
}

const next = <Name extends keyof GatewayEvents>(gateway: Gateway, name: Name) =>
  new Promise<GatewayEvents[Name]>((resolve) => {
    const stop = gateway.on(name, (payload) => {
      stop();
      resolve(payload);
    });
  });

test("connect resolves with READY, events arrive typed, close ends it", async () => {
  const gateway = open(client);
  const ready = await gateway.connect();
  expect(ready?.servers.map(({ id }) => id)).toEqual([serverId]);
  const arrived = next(gateway, "MESSAGE_CREATE");
  const sent = await client.messages.send(channelId, { content: "hello" });
  const { nonce: _, ...received }: Message & { nonce?: string } = await arrived;
  expect(received).toMatchObject({ id: sent.id, content: "hello" });
  const ended = next(gateway, "close");
  gateway.close();
  expect(await ended).toBeNull();
});

test("a bot connects with its static token", async () => {
  const { token } = await client.bots.create({ name: "Listener" });
  const bot = createClient({ baseUrl: stack.edgeUrl, botToken: token });
  await bot.servers.join(serverId);
  const gateway = open(bot, { presence: "none" });
  const deleted = next(gateway, "MESSAGE_DELETE");
  await gateway.connect();
  const message = await client.messages.send(channelId, { content: "soon gone" });
  await client.messages.delete(message.id);
  expect(await deleted).toEqual({ id: message.id, channel_id: channelId });
});

test("an access token that has expired is renewed before the gateway is asked again", async () => {
  const tokens = { accessToken: "expired", refreshToken: client.tokens?.refreshToken ?? "" };
  const gateway = open(createClient({ baseUrl: stack.edgeUrl, tokens }));
  expect((await gateway.connect())?.servers).toHaveLength(1);
});

test("an ended session, and a query that the server refuses, end it with the server's words", async () => {
  const tokens = { accessToken: "expired", refreshToken: "unknown" };
  const over = open(createClient({ baseUrl: stack.edgeUrl, tokens }));
  await expect(over.connect()).rejects.toMatchObject({ status: 401 });
  const wrong = open(client, { shard: [2, 2] });
  await expect(wrong.connect()).rejects.toMatchObject({ status: 400, code: "shard_invalid" });
  const revoked = open(createClient({ baseUrl: stack.edgeUrl, botToken: "0".repeat(64) }));
  await expect(revoked.connect()).rejects.toMatchObject({ status: 401, code: "invalid_bot_token" });
});

test("a signal ends the wait for a server that is away", async () => {
  const away = open(createClient({ baseUrl: "http://127.0.0.1:9", tokens: { accessToken: "a", refreshToken: "b" } }));
  const controller = new AbortController();
  const connecting = away.connect({ signal: controller.signal });
  await next(away, "disconnect");
  controller.abort(new Error("Not today"));
  await expect(connecting).rejects.toThrow("Not today");
});

test("close also ends an attempt that has only begun, and a second one is refused", async () => {
  const gateway = open(client);
  const connecting = gateway.connect();
  await expect(gateway.connect()).rejects.toThrow("connected already");
  gateway.close();
  await expect(connecting).rejects.toThrow("Closed");
});

test("a signal that was aborted before leaves the gateway as it was", async () => {
  const gateway = open(client);
  await expect(gateway.connect({ signal: AbortSignal.abort(new Error("Too late")) })).rejects.toThrow("Too late");
  expect((await gateway.connect())?.servers).toHaveLength(1);
});

test("nudge ends the wait of the connection of now, also when one before ends late", async () => {
  /** The socket of a server that cannot be reached. */
  class RefusedWebSocket {
    send(): void {}
    close(): void {}
    addEventListener(type: string, listener: (event: object) => void): void {
      if (type === "close") queueMicrotask(() => listener({ code: 1006 }));
    }
  }
  const answers: (() => void)[] = [];
  const away = createClient({
    baseUrl: "http://127.0.0.1:9",
    tokens: { accessToken: "a", refreshToken: "b" },
    WebSocket: RefusedWebSocket,
    fetch: () => new Promise((_, reject) => answers.push(() => reject(new TypeError("fetch failed")))),
  });
  const gateway = open(away, { backoff: { baseMs: 2_000_000_000, maxMs: 2_000_000_000 } });
  const ends = [gateway.connect().catch(String)];
  await waitUntil(() => answers.length === 1);
  gateway.close();
  ends.push(gateway.connect().catch(String));
  await waitUntil(() => answers.length === 2);
  for (const answer of answers.toReversed()) {
    answer();
    await new Promise(setImmediate);
  }
  gateway.nudge();
  // The next attempt begins with new tokens.
  await waitUntil(() => answers.length === 3);
  gateway.close();
  expect(await Promise.all(ends)).toEqual(["Error: Closed", "Error: Closed"]);
});

test("it comes back after the connection is cut, the gateway is killed, or nothing comes any more", async () => {
  const proxy = await startEdgeProxy(stack.edgeUrl);
  const through = createClient({ baseUrl: proxy.url, tokens: client.tokens ?? { accessToken: "", refreshToken: "" } });
  const gateway = open(through, { times: { openMs: 2_000, heartbeatMs: 200, answerMs: 2_000 } });
  let returns = 0;
  gateway.on("READY", () => (returns += 1));
  gateway.on("RESUMED", () => (returns += 1));
  const contents: string[] = [];
  gateway.on("MESSAGE_CREATE", ({ content }) => contents.push(content));
  await gateway.connect();
  const isBack = async (before: number, content: string) => {
    await waitUntil(() => returns > before);
    await client.messages.send(channelId, { content });
    await waitUntil(() => contents.includes(content));
  };
  proxy.cut();
  await isBack(1, "after the cut");
  const silent = next(gateway, "disconnect");
  const beforeSilence = returns;
  proxy.silence(true);
  expect((await silent).code).toBe(4000);
  proxy.silence(false);
  await isBack(beforeSilence, "after the silence");
  await stack.startGateway();
  const beforeDeath = returns;
  const dead = next(gateway, "disconnect");
  const [one, other] = stack.gateways;
  await Promise.all([one?.kill(), other?.kill()]);
  await dead;
  await isBack(beforeDeath, "after the death of a gateway");
  await Promise.all([one?.restart(), other?.restart()]);
  await proxy.close();
});

test("presence comes of those who are named, also after the connection was lost", async () => {
  const bob = createClient({ baseUrl: stack.edgeUrl });
  const { id } = await bob.register({ username: `b_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  await bob.servers.join(serverId);
  const proxy = await startEdgeProxy(stack.edgeUrl);
  const through = createClient({ baseUrl: proxy.url, tokens: client.tokens ?? { accessToken: "", refreshToken: "" } });
  const gateway = open(through, { presence: "subscribed" });
  await gateway.connect();
  const online = next(gateway, "PRESENCE_UPDATE");
  gateway.subscribePresence([id]);
  const other = open(bob);
  await other.connect();
  expect(await online).toMatchObject({ user_id: id, status: "online" });
  const again = next(gateway, "PRESENCE_UPDATE");
  proxy.cut();
  expect(await again).toMatchObject({ user_id: id, status: "online" });
  await proxy.close();
});

test("a refusal that lost its end on the way is none: the client comes back", async () => {
  const proxy = await startEdgeProxy(stack.edgeUrl);
  const gateway = open(createClient({ baseUrl: proxy.url, ...(client.tokens && { tokens: client.tokens }) }));
  await gateway.connect();
  const ends: unknown[] = [];
  gateway.on("close", (error) => ends.push(error));
  proxy.truncate(true);
  proxy.cut();
  await waitUntil(() => ends.length > 0 || proxy.truncated() >= 6, {
    timeoutMs: 60_000,
    what: "answers without their end",
  });
  expect(ends).toEqual([]);
  const resumed = next(gateway, "RESUMED");
  proxy.truncate(false);
  await resumed;
  await proxy.close();
});
