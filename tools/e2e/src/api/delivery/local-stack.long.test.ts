import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient as createParleyClient, type ParleyClient } from "@parley/client";
import { AuthResponse } from "@parley/contracts";
import { startProcess } from "@parley/local-stack";
import { createClient, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { program, useLocalStack } from "./local-stack-stage.js";

// Several whole starts a test, on machines that have other things to do.
describe("npm start", { timeout: 300_000 }, () => {
  const { own, launchWith, start, portsAreFree } = useLocalStack();

  test("npm start stops when npm ends, which hands no signal on", async () => {
    const shell = await startProcess({
      name: "npm start",
      command: "/bin/sh",
      args: ["-c", '"$0" "$1"; exit $?', process.execPath, program()],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...own.settings, npm_lifecycle_event: "start" },
    });
    const edge = `http://localhost:${own.settings.EDGE_PORT}`;
    await waitUntil(async () => (await fetch(edge).catch(() => null))?.ok, { timeoutMs: 150_000, what: "the edge" });
    await shell.stop({ signal: "SIGKILL" });
    await waitUntil(portsAreFree, { timeoutMs: 60_000, what: "free ports" });
  });

  test("names a page to open, fills an installation without accounts with a community, once, keeps accounts and tokens over an orderly stop and over a kill, and makes who was registered before it administrator", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "local-stack-demo-"));
    own.settings = { ...own.settings, PARLEY_DATA_DIR: dataDir, PARLEY_ADMINS: "listed" };
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
    const taken = Number(own.settings.REDIS_PORT);
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
    const first = Number(own.settings.GATEWAY_PORT_BASE);
    const stack = await launchWith({ ...own.settings, API_PORT_BASE: String(first + 1) });
    expect((await stack.exited).code).toBe(1);
    expect(stack.lines).toEqual([
      `Port ${first + 1} is wanted twice, by api-1 (API_PORT_BASE) and gateway-2 (GATEWAY_PORT_BASE): choose another port for one of them.`,
    ]);
  });

  test("npm start stops the processes that it has started when it is interrupted in the middle of the start", async () => {
    const stack = await start();
    await waitUntil(() => stack.lines.length > 0, { what: "the first sentence" });
    expect(await stack.stop("SIGINT")).toEqual({ code: 0, signal: null });
    expect(stack.lines.at(-1)).toBe("Stopped during the start.");
    expect(await portsAreFree()).toBe(true);
  });
});

/** A user's view of an installation. */
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
