import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient as createParleyClient, type ParleyClient } from "@parley/client";
import { AuthResponse } from "@parley/contracts";
import { findFreePort, findFreePorts, isPortFree, startProcess } from "@parley/local-stack";
import { connectGateway, createClient, runContext, waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

/** What `npm start` runs once everything is installed and built. */
const program = () => join(runContext().root, "tools", "local-stack", "dist", "main.js");

/** How many of one service the starts below ask for. */
const instancesAtMost = 2;

type Launch = Awaited<ReturnType<typeof launch>>;

async function launch(settings: Record<string, string>, args: string[] = []) {
  const lines: string[] = [];
  const started = await startProcess({
    name: "npm start",
    command: process.execPath,
    args: [program(), ...args],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    onLine: (line) => lines.push(line),
  });
  const url = `http://localhost:${settings.EDGE_PORT}`;
  return {
    ...started,
    url,
    lines,
    stop: (signal: NodeJS.Signals = "SIGTERM") => started.stop({ signal, timeoutMs: 30_000 }),
    up: () => waitUntil(() => lines.some((line) => line.endsWith(url)), { timeoutMs: 60_000, what: "the table" }),
  };
}

/** Settings of a stack of its own: a data folder, and ports that nothing else uses. */
async function ownSettings(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of ["EDGE", "POSTGRES", "REDIS", "NATS"]) ports[`${name}_PORT`] = String(await findFreePort());
  for (const name of ["GATEWAY", "API", "AUTOMOD", "WEBHOOK_DISPATCHER"]) {
    ports[`${name}_PORT_BASE`] = String(await findFreePorts(instancesAtMost));
  }
  return {
    ...ports,
    PARLEY_DATA_DIR: await mkdtemp(join(tmpdir(), "local-stack-")),
  };
}

// Several whole starts a test, on machines that have other things to do.
describe("npm start", { timeout: 180_000 }, () => {
  let settings: Record<string, string>;
  const launched: Launch[] = [];
  const start = async (args: string[] = []) => {
    const stack = await launch(settings, args);
    launched.push(stack);
    return stack;
  };
  const portsAreFree = async () => {
    const ports = Object.entries(settings).filter(([name]) => name.includes("_PORT"));
    return (await Promise.all(ports.map(([, port]) => isPortFree(Number(port))))).every(Boolean);
  };

  beforeAll(async () => {
    settings = await ownSettings();
  });
  afterEach(async () => {
    for (const stack of launched.splice(0)) await stack.stop();
  });
  afterAll(() => rm(settings.PARLEY_DATA_DIR ?? "", { recursive: true, force: true }));

  test("npm start prints a table that ends with the address, serves REST and sockets there, and stops without a trace", async () => {
    const stack = await start(["--apis", "2"]);
    await stack.up();
    const table = stack.lines.filter((line) => /^ {2}\S+ +\S+:\/\/\S+$/.test(line));
    const services = ["api-1", "api-2", "gateway-1", "gateway-2", "automod-1", "webhook-dispatcher-1"];
    const names = table.map((line) => line.trim().split(/ +/)[0]);
    expect(names).toEqual(["PostgreSQL", "Redis", "NATS", ...services, "Parley"]);
    const user = await createClient(stack.url, { prefix: "/api" }).register();
    const gateway = connectGateway(stack.url, user.accessToken);
    expect((await gateway.ready).user.id).toBe(user.user.id);
    expect((await user.get("/metrics")).status).toBe(404);
    // More than the services' own default: browsers send about 100 requests when they open a channel.
    expect((await user.get("/servers")).headers.get("x-ratelimit-limit")).toBe("200");

    const second = await start();
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.lines).toEqual([expect.stringContaining(`already running (pid ${stack.pid}) at ${stack.url}`)]);
    await gateway.heartbeat();

    expect(await stack.stop("SIGINT")).toEqual({ code: 0, signal: null });
    expect((await gateway.closed).code).toBe(1001);
    expect(await portsAreFree()).toBe(true);
  });

  test("npm start stops when npm ends, which hands no signal on", async () => {
    const shell = await startProcess({
      name: "npm start",
      command: "/bin/sh",
      args: ["-c", '"$0" "$1"; exit $?', process.execPath, program()],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings, npm_lifecycle_event: "start" },
    });
    const edge = `http://localhost:${settings.EDGE_PORT}`;
    await waitUntil(async () => (await fetch(edge).catch(() => null))?.ok, { timeoutMs: 60_000, what: "the edge" });
    await shell.stop({ signal: "SIGKILL" });
    await waitUntil(portsAreFree, { timeoutMs: 60_000, what: "free ports" });
  });

  test("names a page to open, fills an installation without accounts with a community, once, keeps accounts and tokens over an orderly stop and over a kill, and makes who was registered before it administrator", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "local-stack-demo-"));
    settings = { ...settings, PARLEY_DATA_DIR: dataDir, PARLEY_ADMINS: "listed" };
    const first = await start(["--demo"]);
    await first.up();
    expect(await (await fetch(first.url)).text()).toContain('<div id="root">');
    const said = first.lines.find((line) => line.startsWith("The demo is ready."));
    const [, username = "", password = ""] = /Log in as (\w+) with the password ([\w-]+) /.exec(said ?? "") ?? [];
    const client = createParleyClient({ baseUrl: first.url });
    await client.login({ username, password });
    const community = await readCommunity(client);
    expect(community).toMatchObject({
      servers: ["Harbour Chess Club", "Print & Ink"],
      categories: ["Club", "Committee", "Games"],
      types: ["text", "voice"],
      roles: ["Arbiter", "Captain", "Player"],
      bots: ["Pairing clerk"],
      webhooks: ["Results page"],
      kinds: ["event", "picture", "poll", "reaction", "reply", "thread"],
    });
    expect(community.pins).toBeGreaterThan(0);
    expect(community.messages).toBeGreaterThan(20);
    const user = await createClient(first.url).register({ username: "listed" });
    expect(user.user.is_admin).toBe(false);
    const knowsUser = async () => {
      const own = await createClient(first.url).withAuthorization(`Bearer ${user.accessToken}`).get("/users/@me");
      expect(own.body).toEqual({ ...user.user, is_admin: true });
      const login = await createClient(first.url).post("/auth/login", { username: "listed", password: user.password });
      login.expect(200, AuthResponse);
    };
    await first.stop();

    const second = await start(["--demo"]);
    await second.up();
    expect(second.lines).toContain("The installation has accounts already, so --demo has changed nothing.");
    expect(second.lines).toContainEqual(
      expect.stringContaining(`Log in as ${username} with the password ${password} `),
    );
    expect(second.lines).not.toContainEqual(expect.stringContaining("The demo is ready."));
    const again = createParleyClient({ baseUrl: second.url });
    await again.login({ username, password });
    expect(await readCommunity(again)).toEqual(community);
    await knowsUser();
    await second.stop("SIGKILL");

    const third = await start();
    await third.up();
    await knowsUser();
    await third.stop();
    expect(await portsAreFree()).toBe(true);
    await rm(dataDir, { recursive: true, force: true });
  });

  test("npm start names a port that is in use, and starts nothing", async () => {
    const taken = Number(settings.REDIS_PORT);
    const other = createServer().listen(taken, "127.0.0.1");
    const stack = await start();
    expect((await stack.exited).code).toBe(1);
    expect(stack.lines).toEqual([
      `Port ${taken}, which Redis needs, is already in use: stop the program that uses it, or choose another port with REDIS_PORT.`,
    ]);
    await new Promise((resolve) => other.close(resolve));
    expect(await portsAreFree()).toBe(true);
  });

  test("npm start names a port that two services would share, and starts nothing", async () => {
    const first = Number(settings.GATEWAY_PORT_BASE);
    const stack = await launch({ ...settings, API_PORT_BASE: String(first + 1) });
    launched.push(stack);
    expect((await stack.exited).code).toBe(1);
    expect(stack.lines).toEqual([
      `Port ${first + 1} is wanted twice, by api-1 (API_PORT_BASE) and gateway-2 (GATEWAY_PORT_BASE): choose another port for one of them.`,
    ]);
  });

  test("npm start stops what it has started when it is interrupted in the middle of the start", async () => {
    const stack = await start();
    await waitUntil(() => stack.lines.length > 0, { what: "the first sentence" });
    expect(await stack.stop("SIGINT")).toEqual({ code: 0, signal: null });
    expect(stack.lines.at(-1)).toBe("Stopped during the start.");
    expect(await portsAreFree()).toBe(true);
  });
});

/** What somebody sees of an installation. */
async function readCommunity(client: ParleyClient) {
  const servers = await client.servers.list();
  const channels = (await Promise.all(servers.map(({ id }) => client.channels.list(id)))).flat();
  const texts = channels.filter(({ type }) => type === "text");
  const messages = (await Promise.all(texts.map(({ id }) => client.messages.list(id)))).flat();
  const pins = (await Promise.all(texts.map(({ id }) => client.pins.list(id)))).flat();
  const [club] = servers;
  const roles = await client.roles.list(club?.id ?? "");
  const { webhooks } = await client.webhooks.list(club?.id ?? "");
  const kinds = new Set<string>();
  for (const message of messages) {
    if (message.poll !== null) kinds.add("poll");
    if (message.event !== null) kinds.add("event");
    if (message.reply_to !== null) kinds.add("reply");
    if (message.thread_reply_count > 0) kinds.add("thread");
    if ((await client.reactions.list(message.channel_id, message.id)).length > 0) kinds.add("reaction");
    const [file] = await client.attachments.list(message.id);
    if (file?.mime_type === "image/png" && (file.width ?? 0) > 0) kinds.add("picture");
  }
  const sorted = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))].sort();
  return {
    servers: servers.map(({ name }) => name),
    categories: sorted(channels.map(({ category }) => category)),
    types: sorted(channels.map(({ type }) => type)),
    roles: sorted(roles.map(({ name }) => name)),
    bots: (await client.bots.list()).bots.map(({ name }) => name),
    webhooks: webhooks.map(({ name }) => name),
    kinds: sorted([...kinds]),
    pins: pins.length,
    messages: messages.length,
  };
}
