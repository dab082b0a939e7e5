import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type EventHandler, type Gateway, type PositionStore } from "@parley/client";
import {
  createGate,
  readyFrame,
  runContext,
  type SharedStack,
  sharedStack,
  startLoopbackGateway,
  waitUntil,
} from "@parley/testing";
import { afterEach, beforeAll, expect, test } from "vitest";

const { root, folder } = runContext();
const messages = 260;
const kills = 20;
const concurrency = 8;
let stack: SharedStack;
let running: ChildProcess | null = null;
const closes: (() => unknown)[] = [];

beforeAll(async () => {
  stack = await sharedStack();
});
afterEach(async () => {
  running?.kill("SIGKILL");
  for (const close of closes.splice(0)) await close();
});

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

/** A bot in a server with eight channels, and who writes there. */
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

/** A server with `count` messages in two channels, which goes on from the position that it is asked for. */
async function startServer(count: number, extra: object = {}) {
  const asked: string[] = [];
  const codes: number[] = [];
  const server = await startLoopbackGateway((socket, query) => {
    const from = query.get("s") ?? "";
    asked.push(from);
    socket.on("close", (code) => codes.push(code));
    const isNew = from === "" || "resync" in extra;
    socket.send(isNew ? readyFrame("0", extra) : resumed(from));
    for (let index = isNew ? 1 : Number(from) + 1; index <= count; index += 1) {
      const d = { id: String(index), channel_id: String(index % 2) };
      socket.send(JSON.stringify({ op: "DISPATCH", t: "MESSAGE_DELETE", s: String(index), d }));
    }
  });
  closes.push(server.close);
  const open = (): Gateway => {
    const client = createClient({ baseUrl: server.url, botToken: "bot" });
    const gateway = client.gateway({ backoff: { baseMs: 1, maxMs: 5 } });
    closes.unshift(() => gateway.close());
    return gateway;
  };
  return { asked, codes, open };
}

const resumed = (s: string) => JSON.stringify({ op: "DISPATCH", t: "RESUMED", s, d: { replayed: 0 } });

class MemoryStore implements PositionStore {
  position: string | null;
  constructor(position: string | null = null) {
    this.position = position;
  }
  read(): string | null {
    return this.position;
  }
  write(position: string): void {
    this.position = position;
  }
}

test("a handler that is slower than the events bounds what is in memory, and gets all of them in order", async () => {
  const { asked, codes, open } = await startServer(500);
  const gateway = open();
  const gate = createGate();
  const byChannel: Record<string, number[]> = { 0: [], 1: [] };
  let received = 0;
  let handled = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  let mostWaiting = 0;
  gateway.onAny(() => {
    received += 1;
    mostWaiting = Math.max(mostWaiting, received - handled);
  });
  const handler: EventHandler = async ({ name, data }) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await gate.opened;
    if (name === "MESSAGE_DELETE") byChannel[data.channel_id]?.push(Number(data.id));
    atOnce -= 1;
    handled += 1;
  };
  const consuming = gateway.consume(handler, { concurrency: 2, backlogMax: 50 });
  await waitUntil(() => codes.length === 1);
  expect([received, handled]).toEqual([50, 0]);
  gate.open();
  await waitUntil(() => byChannel[0]?.length === 250 && byChannel[1]?.length === 250);
  gateway.close();
  await consuming;
  expect(byChannel[0]).toEqual(Array.from({ length: 250 }, (_, index) => 2 * index + 2));
  expect(byChannel[1]).toEqual(Array.from({ length: 250 }, (_, index) => 2 * index + 1));
  expect(mostAtOnce).toBe(2);
  expect(mostWaiting).toBeLessThanOrEqual(51);
  expect(asked.length).toBeGreaterThan(5);
  expect(codes.slice(0, 5)).toEqual([4002, 4002, 4002, 4002, 4002]);
});

test("an event whose handler fails comes again in the next run, or counts as handled with onError", async () => {
  const { open } = await startServer(4);
  const store = new MemoryStore();
  const heard: string[] = [];
  const handler: EventHandler = async ({ name, position }) => {
    heard.push(`${name} ${position}`);
    if (position === "2") throw new Error("two is too many");
  };
  await expect(open().consume(handler, { store, concurrency: 1 })).rejects.toThrow("two is too many");
  expect(store.position).toBe("1");
  const errors: unknown[] = [];
  const again = open();
  const onError = (error: unknown) => errors.push(String(error));
  const consuming = again.consume(handler, { store, concurrency: 1, onError });
  await waitUntil(() => store.position === "4");
  again.close();
  await consuming;
  expect(errors).toEqual(["Error: two is too many"]);
  expect(heard).toEqual([
    ...["READY 0", "MESSAGE_DELETE 1", "MESSAGE_DELETE 2"],
    ...["RESUMED 1", "MESSAGE_DELETE 2", "MESSAGE_DELETE 3", "MESSAGE_DELETE 4"],
  ]);
});

test("a READY with resync waits for what was before it, and what comes after waits for its handler", async () => {
  const { open } = await startServer(3, { resync: "expired" });
  const store = new MemoryStore("9");
  const gateway = open();
  const steps: string[] = [];
  const gate = createGate();
  const consuming = gateway.consume(
    async ({ name, data }) => {
      if (name !== "READY") return void steps.push(name);
      steps.push(`missed: ${data.resync}`);
      await gate.opened;
      steps.push("read again");
    },
    { store, onError: () => undefined },
  );
  await waitUntil(() => gateway.position === "3");
  expect(steps).toEqual(["missed: expired"]);
  gate.open();
  await waitUntil(() => steps.length === 5);
  expect(steps.slice(1)).toEqual(["read again", ...Array(3).fill("MESSAGE_DELETE")]);
  gateway.close();
  await consuming;
});

test("an event that has given its turn up is overtaken, and does not keep the position", async () => {
  const { open } = await startServer(6);
  const store = new MemoryStore();
  const gateway = open();
  const gate = createGate();
  const heard: string[] = [];
  const consuming = gateway.consume(
    async ({ position }, turn) => {
      heard.push(String(position));
      if (position !== "1") return;
      turn.release();
      await gate.opened;
      heard.push("1 goes on");
    },
    { store, concurrency: 1 },
  );
  await waitUntil(() => store.position === "6");
  gate.open();
  await waitUntil(() => heard.includes("1 goes on"));
  expect(heard).toHaveLength(8);
  expect(heard.slice(0, 2)).toEqual(["0", "1"]);
  gateway.close();
  await consuming;
});
