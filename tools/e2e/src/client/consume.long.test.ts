import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@parley/client";
import { runContext, type SharedStack, sharedStack, waitUntil } from "@parley/testing";
import { afterEach, beforeAll, expect, test } from "vitest";

const { root, folder } = runContext();
const messages = 260;
const kills = 20;
const concurrency = 8;
let stack: SharedStack;
let running: ChildProcess | null = null;

beforeAll(async () => {
  stack = await sharedStack();
});
afterEach(() => void running?.kill("SIGKILL"));

const program = `
  import { appendFileSync } from "node:fs";
  import { createClient, createFileStore } from ${JSON.stringify(pathToFileURL(join(root, "packages/client/dist/index.js")).href)};
  const { PARLEY_URL: baseUrl, BOT_TOKEN: botToken, LOG, POSITION } = process.env;
  const gateway = createClient({ baseUrl, botToken }).gateway({
    presence: "none", events: ["MESSAGE_CREATE"], backoff: { baseMs: 20, maxMs: 200 },
  });
  await gateway.consume(async ({ name, data }) => {
    if (name === "MESSAGE_CREATE") await new Promise((resolve) => setTimeout(resolve, 150));
    appendFileSync(LOG, name + " " + (data.resync ?? data.channel_id ?? "") + " " + (data.id ?? "") + "\\n");
  }, { store: createFileStore(POSITION), concurrency: ${concurrency} });
`;

/** A bot in a server with eight channels, and an author there. */
async function prepare() {
  const owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  const server = await owner.servers.create({ name: "Work", is_public: true });
  const channels: string[] = [];
  for (let index = 0; index < concurrency; index += 1) {
    channels.push((await owner.channels.create(server.id, { name: `channel-${index}` })).id);
  }
  const { token } = await owner.bots.create({ name: "Worker" });
  await createClient({ baseUrl: stack.edgeUrl, botToken: token }).servers.join(server.id);
  const place = await mkdtemp(join(folder, "consume-"));
  const env = { PATH: process.env.PATH, PARLEY_URL: stack.edgeUrl, BOT_TOKEN: token };
  return { owner, channels, env: { ...env, LOG: join(place, "log"), POSITION: join(place, "position") } };
}

test(`a bot that is killed ${kills} times at work loses no event`, { timeout: 180_000 }, async () => {
  const { owner, channels, env } = await prepare();
  await writeFile(env.LOG, "");
  const lines = async () => (await readFile(env.LOG, "utf8")).split("\n").slice(0, -1);
  const start = () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    running = child;
    return new Promise<void>((resolve) => child.once("exit", () => resolve()));
  };
  let exited = start();
  await waitUntil(() => readFile(env.POSITION, "utf8"), { what: "the first position" });
  const sent: { id: string; channelId: string }[] = [];
  const write = async () => {
    for (let index = 0; index < messages; index += 1) {
      const channelId = channels[index % channels.length] ?? "";
      sent.push({ id: (await owner.messages.send(channelId, { content: `message ${index}` })).id, channelId });
    }
  };
  const writing = write();
  for (let count = 0; count < kills; count += 1) {
    const before = (await lines()).length;
    const more = 1 + Math.floor(Math.random() * 10);
    await waitUntil(async () => (await lines()).length >= before + more || new Set(await lines()).size >= messages, {
      timeoutMs: 60_000,
      what: `work of run ${count}`,
    });
    running?.kill("SIGKILL");
    await exited;
    exited = start();
  }
  await writing;
  const handled = async () => (await lines()).filter((line) => line.startsWith("MESSAGE_CREATE"));
  await waitUntil(async () => new Set(await handled()).size === messages, { timeoutMs: 60_000, what: "all messages" });
  const all = await handled();
  process.stdout.write(`${kills} kills, ${messages} messages: 0 lost, ${all.length - messages} handled again\n`);
  expect((await lines()).filter((line) => line.startsWith("READY"))).toEqual(["READY  "]);
  for (const channel of channels) {
    const first = [...new Set(all.filter((line) => line.includes(channel)))];
    const expected = sent.filter(({ channelId }) => channelId === channel);
    expect(first).toEqual(expected.map(({ id }) => `MESSAGE_CREATE ${channel} ${id}`));
  }
  // Those that were in hand, and those of the moment in which a position was written.
  expect(all.length - messages).toBeLessThanOrEqual(kills * concurrency * 2);
});
