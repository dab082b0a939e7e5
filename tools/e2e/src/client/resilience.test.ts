import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createClient, type Gateway, type GatewayEvents, type ParleyClient, type Tokens } from "@parley/client";
import { runContext, type SharedStack, sharedStack, waitUntil } from "@parley/testing";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startEdgeProxy } from "./edge-proxy.js";

const backoff = { baseMs: 20, maxMs: 200 };
const patience = { timeoutMs: 45_000 };
const password = "correct horse";
let stack: SharedStack;
let proxy: Awaited<ReturnType<typeof startEdgeProxy>>;
let owner: ParleyClient;
let username: string;
let channelId: string;
let gateway: Gateway | null = null;
let asleep: ChildProcess | null = null;

beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  proxy = await startEdgeProxy(stack.edgeUrl);
  owner = createClient({ baseUrl: stack.edgeUrl });
  username = `u_${crypto.randomUUID().slice(0, 8)}`;
  await owner.register({ username, password });
  const server = await owner.servers.create({ name: "Chess club" });
  channelId = (await owner.channels.create(server.id, { name: "general" })).id;
});
afterEach(() => {
  vi.useRealTimers();
  gateway?.close();
  asleep?.kill("SIGKILL");
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

const next = <Name extends keyof GatewayEvents>(on: Gateway, name: Name) =>
  new Promise<GatewayEvents[Name]>((resolve) => on.on(name, resolve));

test("tokens that expire while the network is away are renewed on the way back", async () => {
  let kept: Tokens | null = owner.tokens;
  const tokenStore = {
    read: () => kept,
    write(tokens: Tokens | null) {
      kept = tokens;
    },
  };
  const opened = await connect(createClient({ baseUrl: proxy.url, tokenStore }));
  const lost = next(opened.gateway, "disconnect");
  proxy.silence(true);
  await lost;
  tokenStore.write({ accessToken: "expired", refreshToken: kept?.refreshToken ?? "" });
  await owner.messages.send(channelId, { content: "meanwhile" });
  proxy.silence(false);
  await waitUntil(() => opened.heard.contents.length === 1, patience);
  expect(opened.heard).toMatchObject({ contents: ["meanwhile"], ready: 1 });
  expect(kept?.accessToken).not.toBe("expired");
});

test("a session that somebody revokes ends the connection with 401, and the tokens are forgotten", async () => {
  const told: (Tokens | null)[] = [];
  const device = createClient({ baseUrl: proxy.url, onTokens: (tokens) => told.push(tokens) });
  await device.login({ username, password });
  const closed = next((await connect(device)).gateway, "close");
  const session = (await device.auth.sessions()).find(({ current }) => current);
  await owner.auth.endSession(session?.id ?? "");
  expect(await closed).toMatchObject({ status: 401 });
  expect(device.tokens).toBeNull();
  expect(told.at(-1)).toBeNull();
});

test("a clock that jumps by a day, forth and back, changes nothing", async () => {
  const client = createClient({ baseUrl: proxy.url, ...tokensOf(owner) });
  const { heard } = await connect(client);
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const days of [1, -1]) {
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await client.messages.send(channelId, { content: `with the connection of before, ${days}` });
    const resumed = heard.resumed;
    proxy.cut();
    await waitUntil(() => heard.resumed > resumed, patience);
    await client.messages.send(channelId, { content: `with a new one, ${days}` });
  }
  await waitUntil(() => heard.contents.length === 4, patience);
  expect(heard.ready).toBe(1);
});

test("a device that slept while its connection went silent comes back with the missed events", async () => {
  const library = join(runContext().root, "packages", "client", "dist", "index.js");
  const program = `
    import { createClient } from ${JSON.stringify(pathToFileURL(library).href)};
    const client = createClient({ baseUrl: process.env.PARLEY_URL, tokens: JSON.parse(process.env.TOKENS) });
    const gateway = client.gateway({
      backoff: { baseMs: 20, maxMs: 200 },
      times: { openMs: 2_000, heartbeatMs: 200, answerMs: 1_000 },
    });
    gateway.on("disconnect", ({ code }) => console.log("disconnect", code));
    gateway.on("RESUMED", () => console.log("resumed"));
    gateway.on("MESSAGE_CREATE", ({ content }) => console.log(content));
    await gateway.connect();
    console.log("ready");
  `;
  const env = { PATH: process.env.PATH, PARLEY_URL: proxy.url, TOKENS: JSON.stringify(owner.tokens) };
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  asleep = child;
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await waitUntil(() => lines.includes("ready"), patience);
  child.kill("SIGSTOP");
  proxy.silence(true);
  await owner.messages.send(channelId, { content: "while it slept" });
  child.kill("SIGCONT");
  await waitUntil(() => lines.includes("disconnect 4000"), patience);
  proxy.silence(false);
  await waitUntil(() => lines.includes("resumed"), patience);
  expect(lines.filter((line) => !line.startsWith("disconnect"))).toEqual(["ready", "while it slept", "resumed"]);
});

const tokensOf = ({ tokens }: ParleyClient) => (tokens === null ? {} : { tokens });
