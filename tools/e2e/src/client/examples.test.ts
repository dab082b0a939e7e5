import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type ParleyClient } from "@parley/client";
import { type SharedStack, sharedStack, waitUntil } from "@parley/testing";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEdgeProxy } from "./edge-proxy.js";
import { type Example, examplesFolder as folder, startExample } from "./example-process.js";

let stack: SharedStack;
let owner: ParleyClient;
let serverId: string;
let channelId: string;
const running: Example[] = [];

beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  serverId = (await owner.servers.create({ name: "Chess club", is_public: true })).id;
  channelId = (await owner.channels.create(serverId, { name: "general" })).id;
});
afterEach(async () => {
  for (const example of running.splice(0)) await example.stop();
});

async function createBot(): Promise<{ token: string; userId: string }> {
  const { bot, token } = await owner.bots.create({ name: "Helper" });
  await createClient({ baseUrl: stack.edgeUrl, botToken: token }).servers.join(serverId);
  return { token, userId: bot.user_id };
}

/** Runs an example against the stack. */
function start(name: string, env: Record<string, string>, cwd?: string) {
  const started = startExample(name, { PARLEY_URL: stack.edgeUrl, ...env }, cwd);
  running.push(started);
  return started;
}

const run = (name: string, env: Record<string, string>) => start(name, env).lines;

const contents = async () => (await owner.messages.list(channelId)).map(({ content }) => content).reverse();
const patience = { timeoutMs: 45_000 };

test("the echo bot answers who asks it", async () => {
  const { token } = await createBot();
  const { log } = start("echo-bot.mjs", { BOT_TOKEN: token });
  await waitUntil(() => log.includes("Connected"), patience);
  // Its own words are no command.
  await owner.messages.send(channelId, { content: "!echo !echo Hello there" });
  await owner.messages.send(channelId, { content: "!ECHO the last" });
  await waitUntil(async () => (await contents()).length === 4, patience);
  expect((await contents()).sort()).toEqual([
    "!ECHO the last",
    "!echo !echo Hello there",
    "!echo Hello there",
    "the last",
  ]);
});

test("commands sent while the echo bot was dead are answered once", async () => {
  const { token } = await createBot();
  const { example, exited, log, cwd } = start("echo-bot.mjs", { BOT_TOKEN: token });
  await waitUntil(() => log.includes("Connected"), patience);
  await waitUntil(() => readFileSync(join(cwd, "echo-bot.position"), "utf8"), patience);
  await owner.messages.send(channelId, { content: "!echo one" });
  await waitUntil(async () => (await contents()).length === 2, patience);
  example.kill("SIGKILL");
  await exited;
  await owner.messages.send(channelId, { content: "!echo two" });
  const again = start("echo-bot.mjs", { BOT_TOKEN: token }, cwd);
  await waitUntil(async () => (await contents()).includes("two"), patience);
  expect(again.log.join()).toContain("Connected again");
  await owner.messages.send(channelId, { content: "!echo three" });
  await waitUntil(async () => (await contents()).includes("three"), patience);
  expect(await contents()).toEqual(["!echo one", "one", "!echo two", "two", "!echo three", "three"]);
});

test("a bot waits for a server that is down, and its process ends with code 1 and a line when it has no access", async () => {
  const { bot, token } = await owner.bots.create({ name: "Late" });
  const gone = await startEdgeProxy(stack.edgeUrl);
  await gone.close();
  const { example, exited, log } = start("echo-bot.mjs", { BOT_TOKEN: token, PARLEY_URL: gone.url });
  await waitUntil(() => log.some((line) => line.includes("connect ECONNREFUSED")), patience);
  example.kill("SIGTERM");
  await exited;
  expect(example.exitCode).toBe(0);
  const proxy = await startEdgeProxy(stack.edgeUrl);
  proxy.truncate(true);
  const late = start("echo-bot.mjs", { BOT_TOKEN: token, PARLEY_URL: proxy.url });
  await waitUntil(() => late.log.some((line) => line.startsWith("No connection")), patience);
  proxy.truncate(false);
  await waitUntil(() => late.log.includes("Connected"), patience);
  await owner.bots.revoke(bot.id);
  await late.exited;
  expect([late.example.exitCode, late.log.at(-1)]).toEqual([
    1,
    expect.stringContaining("The bot ends: 401 Invalid or revoked bot token"),
  ]);
  await proxy.close();
});

test("a setting that is missing is one sentence, and exit code 1", async () => {
  const runs: [string, Record<string, string>, string][] = [
    ["echo-bot.mjs", {}, "A bot needs `token`"],
    ["echo-bot.mjs", { PARLEY_URL: "" }, "A bot needs `url`"],
    ["channel-log.mjs", { BOT_TOKEN: "x" }, "Set CHANNEL_ID"],
    ["moderation-bot.mjs", { BOT_TOKEN: "x" }, "Set FORBIDDEN"],
  ];
  for (const [name, env, text] of runs) {
    const { example, exited, log } = start(name, env);
    await exited;
    expect([name, example.exitCode, log]).toEqual([name, 1, [expect.stringContaining(text)]]);
  }
});

test("the moderation bot deletes forbidden words and times out after the third", async () => {
  const { token, userId } = await createBot();
  const role = await owner.roles.create(serverId, { name: "Moderator", permissions: 4 | 128 });
  await owner.roles.assign(serverId, userId, role.id);
  const guest = createClient({ baseUrl: stack.edgeUrl });
  await guest.register({ username: `g_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  await guest.servers.join(serverId);
  const { log } = start("moderation-bot.mjs", { BOT_TOKEN: token, FORBIDDEN: "blunder,swindle" });
  await waitUntil(() => log.includes("Connected"), patience);
  await guest.messages.send(channelId, { content: "fine" });
  for (const content of ["a blunder", "a Swindle", "blunder again"]) await guest.messages.send(channelId, { content });
  await waitUntil(() => log.some((line) => line.endsWith("timed out")), patience);
  expect(await contents()).toEqual(["fine"]);
  await expect(guest.messages.send(channelId, { content: "sorry" })).rejects.toMatchObject({
    code: "timed_out",
  });
});

test("the bridge repeats each delivery of a webhook, once, and only if it is signed", async () => {
  const source = await owner.channels.create(serverId, { name: "source" });
  const { token } = await createBot();
  const hook = await owner.webhooks.create(serverId, {
    name: "Bridge",
    url: "http://127.0.0.1:9/",
    event_types: ["message.created"],
  });
  const env = { BOT_TOKEN: token, CHANNEL_ID: channelId, WEBHOOK_SECRET: hook.secret, PORT: "0" };
  const lines = run("webhook-bridge.mjs", env);
  await waitUntil(() => lines.length === 1, patience);
  const url = `http://127.0.0.1:${lines[0]?.split(" ").at(-1)}/`;
  await owner.webhooks.update(serverId, hook.webhook.id, { url });
  const forged = JSON.stringify({ event: "message.created", server_id: serverId, data: { content: "forged" } });
  const headers = {
    "webhook-id": crypto.randomUUID(),
    "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
    "webhook-signature": `v1,${btoa("0".repeat(32))}`,
  };
  expect((await fetch(url, { method: "POST", body: forged, headers })).status).toBe(401);
  expect((await fetch(url, { method: "POST", body: forged })).status).toBe(401);
  // One byte too many, and its end never arrives: nothing is on its way when the bridge closes the connection.
  const large = new ReadableStream({ start: (sent) => sent.enqueue(new Uint8Array(1_000_001)) });
  expect((await fetch(url, { method: "POST", body: large, duplex: "half" })).status).toBe(413);
  await owner.messages.send(source.id, { content: "genuine" });
  await waitUntil(async () => (await contents()).length > 0, patience);
  const deliveries = await waitUntil(async () => {
    const answer = await owner.webhooks.deliveries(serverId, hook.webhook.id);
    return answer.deliveries.some(({ status }) => status === "delivered") ? answer.deliveries : null;
  }, patience);
  await owner.webhooks.redeliver(serverId, hook.webhook.id, deliveries[0]?.id ?? "");
  await owner.messages.send(source.id, { content: "the last" });
  await waitUntil(async () => (await contents()).includes("↪ the last"), patience);
  expect((await contents()).filter((content) => content === "↪ genuine")).toHaveLength(1);
});

test("the log has the history, then what happens", async () => {
  const { token } = await createBot();
  for (const content of ["one", "two", "three"]) await owner.messages.send(channelId, { content });
  const env = { BOT_TOKEN: token, CHANNEL_ID: channelId };
  const { example, exited, lines, cwd } = start("channel-log.mjs", env);
  await waitUntil(() => lines.length === 3, patience);
  const fourth = await owner.messages.send(channelId, { content: "four" });
  await owner.messages.edit(fourth.id, { content: "4" });
  await owner.messages.delete(fourth.id);
  await waitUntil(() => lines.length === 6, patience);
  const written = lines.map((line): unknown => JSON.parse(line));
  expect(written).toMatchObject([
    { what: "created", message: { content: "one" } },
    { what: "created", message: { content: "two" } },
    { what: "created", message: { content: "three" } },
    { what: "created", message: { content: "four" } },
    { what: "updated", message: { content: "4" } },
    { what: "deleted", message: { id: fourth.id } },
  ]);
  // Also after it was killed.
  await waitUntil(() => readdirSync(cwd).some((name) => name.endsWith(".position")), patience);
  example.kill("SIGKILL");
  await exited;
  await owner.messages.send(channelId, { content: "five" });
  const again = start("channel-log.mjs", env, cwd);
  await waitUntil(() => again.lines.some((line) => line.includes("five")), patience);
  const kept = readFileSync(join(cwd, `channel-${channelId}.jsonl`), "utf8").split("\n");
  const created = kept.filter((line) => line.includes('"created"')).map((line): unknown => JSON.parse(line));
  expect(created).toMatchObject(["one", "two", "three", "four", "five"].map((content) => ({ message: { content } })));
});

/** A server with a channel of this name, made by a new user, for a bot to join. */
async function elsewhere(channelName: string) {
  const client = createClient({ baseUrl: stack.edgeUrl });
  const username = `o_${crypto.randomUUID().slice(0, 8)}`;
  await client.register({ username, password: "correct horse" });
  const server = await client.servers.create({ name: "Go club", is_public: true });
  const channel = await client.channels.create(server.id, { name: channelName });
  const said = async () => (await client.messages.list(channel.id)).map(({ content }) => content).reverse();
  return { client, server, username, said };
}

test("the welcome bot greets who joins, also in a server that it joins while it runs", async () => {
  const { token } = await createBot();
  const { log } = start("welcome-bot.mjs", { BOT_TOKEN: token });
  await waitUntil(() => log.includes("Connected"), patience);
  const later = await elsewhere("welcome");
  await createClient({ baseUrl: stack.edgeUrl, botToken: token }).servers.join(later.server.id);
  await waitUntil(async () => (await later.said()).length === 1, patience);
  await owner.servers.join(later.server.id);
  const { username } = await owner.users.me();
  await waitUntil(async () => (await later.said()).length === 2, patience);
  expect(await later.said()).toEqual(["Hello, Go club! I greet whoever joins from now on.", `Welcome, @${username}!`]);
  await later.client.servers.join(serverId);
  await waitUntil(async () => (await contents()).length === 1, patience);
  expect(await contents()).toEqual([`Welcome, @${later.username}!`]);
});

test("the log bot writes down what happens, also in a server that it joins while it runs", async () => {
  const { token } = await createBot();
  const { log } = start("log-bot.mjs", { BOT_TOKEN: token });
  await waitUntil(() => log.includes("Connected"), patience);
  const { client, server, username: author, said } = await elsewhere("log");
  const helper = createClient({ baseUrl: stack.edgeUrl, botToken: token });
  await helper.servers.join(server.id);
  const { id: userId, username } = await owner.users.me();
  await owner.servers.join(server.id);
  const games = await client.channels.create(server.id, { name: "games" });
  const message = await client.messages.send(games.id, { content: "e5" });
  await client.messages.edit(message.id, { content: "e4" });
  await client.messages.delete(message.id);
  await client.channels.update(games.id, { name: "matches" });
  await owner.servers.leave(server.id);
  const isWritten = async () => (await said()).includes(`${message.id} was deleted`);
  await waitUntil(isWritten, patience);
  await client.channels.delete(games.id);
  const expected = [
    `${(await helper.users.me()).username} joined`,
    `${username} joined`,
    "#games was created",
    `${author} now says: e4`,
    `${message.id} was deleted`,
    "#matches was changed",
    `${userId} is gone: left`,
    `The channel ${games.id} was deleted`,
  ];
  await waitUntil(async () => (await said()).length >= expected.length, patience);
  // Events of different channels are handled at a time.
  expect((await said()).sort()).toEqual(expected.sort());
});

test("no example is longer than 100 lines, and neither the welcome bot nor the log bot than 30", () => {
  const lengths = readdirSync(folder).map((name) => [
    name,
    readFileSync(join(folder, name), "utf8").split("\n").length,
  ]);
  expect(lengths).toHaveLength(15);
  expect(lengths.filter(([, length]) => Number(length) >= 100)).toEqual([]);
  const short = lengths.filter(([name]) => name === "welcome-bot.mjs" || name === "log-bot.mjs");
  expect(short.filter(([, length]) => Number(length) <= 30)).toHaveLength(2);
});
