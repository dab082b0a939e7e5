import { createClient, type Gateway, type ParleyClient } from "@parley/client";
import { startStack, type TestStack, waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEdgeProxy } from "./edge-proxy.js";

const backoff = { baseMs: 20, maxMs: 200 };
const patience = { timeoutMs: 20_000 };
const password = "correct horse";
let stack: TestStack;
let proxy: Awaited<ReturnType<typeof startEdgeProxy>>;
let owner: ParleyClient;
let username: string;
let channelId: string;
let gateway: Gateway | null = null;

beforeAll(async () => {
  // Its own: every process is restarted.
  stack = await startStack({ gateways: 2 });
});
afterAll(() => stack?.stop());
beforeEach(async () => {
  proxy = await startEdgeProxy(stack.edgeUrl);
  owner = createClient({ baseUrl: stack.edgeUrl });
  username = `u_${crypto.randomUUID().slice(0, 8)}`;
  await owner.register({ username, password });
  const server = await owner.servers.create({ name: "Chess club" });
  channelId = (await owner.channels.create(server.id, { name: "general" })).id;
});
afterEach(() => {
  gateway?.close();
  proxy.close();
});

/** A client behind the proxy whose messages, READYs and resyncs are kept. */
async function connect(client: ParleyClient) {
  const opened = client.gateway({ backoff, times: { openMs: 2_000, heartbeatMs: 200, answerMs: 2_000 } });
  gateway = opened;
  const contents: string[] = [];
  const heard = { contents, ready: 0, resumed: 0 };
  opened.on("MESSAGE_CREATE", ({ content }) => contents.push(content));
  opened.on("READY", () => (heard.ready += 1));
  opened.on("RESUMED", () => (heard.resumed += 1));
  await opened.connect();
  return { gateway: opened, heard };
}

test("a restart of every process costs no event", async () => {
  const { heard } = await connect(createClient({ baseUrl: proxy.url, ...tokensOf(owner) }));
  await owner.messages.send(channelId, { content: "before" });
  const processes = [...stack.gateways, ...stack.apis];
  await Promise.all(processes.map((process) => process.stop()));
  await Promise.all([stack.nats.restart(), stack.redis.restart()]);
  await Promise.all(processes.map((process) => process.restart()));
  await owner.messages.send(channelId, { content: "after" });
  await waitUntil(() => heard.contents.length === 2 && heard.resumed > 0, patience);
  expect(heard).toMatchObject({ contents: ["before", "after"], ready: 1 });
});

const tokensOf = ({ tokens }: ParleyClient) => (tokens === null ? {} : { tokens });
