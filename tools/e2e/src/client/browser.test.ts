import { createClient, type ParleyClient } from "@parley/client";
import { createGate, type Page, startStack, type TestStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pngPixel } from "../api/stages/sample-files.js";
import { type BrowserSite, startBrowserSite } from "./browser-site.js";

let site: BrowserSite;
let stack: TestStack;
let owner: ParleyClient;
let channelId: string;

beforeAll(async () => {
  site = await startBrowserSite();
  // Its own: it lets the site of the test in.
  stack = await startStack({ gateways: 1, env: { ALLOWED_ORIGINS: site.origin } });
});
afterAll(async () => {
  await stack?.stop();
  await site?.close();
});
beforeEach(async () => {
  owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  const server = await owner.servers.create({ name: "Chess club", is_public: true });
  channelId = (await owner.channels.create(server.id, { name: "general" })).id;
});

/** Makes the page's client, which keeps its tokens in the browser. */
async function openClient(tab: Page): Promise<void> {
  await tab.evaluate(`
    globalThis.refreshes = 0;
    globalThis.told = [];
    globalThis.client = parley.createClient({
      baseUrl: ${JSON.stringify(stack.edgeUrl)},
      tokenStore: parley.createBrowserTokenStore(),
      onTokens: (tokens) => told.push(tokens),
      fetch: (url, init) => {
        if (String(url).endsWith("/auth/refresh")) refreshes += 1;
        return fetch(url, init);
      },
    });
  `);
}

/** Keeps tokens in the page's storage, as an earlier visit would have. */
const keepTokens = (tab: Page, tokens: object | null) =>
  tab.evaluate(`localStorage.setItem("parley.tokens", ${JSON.stringify(JSON.stringify(tokens))})`);

test.each(["index.js", "parley-client.min.js"] as const)(
  "a page of another origin connects, sends and receives with %s of the package",
  async (entry) => {
    const tab = await (await site.openWindow()).openTab(entry);
    await keepTokens(tab, owner.tokens);
    await openClient(tab);
    const content = await tab.evaluate(`(async () => {
      const gateway = client.gateway();
      const heard = new Promise((resolve) => gateway.on("MESSAGE_CREATE", resolve));
      await gateway.connect();
      await client.messages.send(${JSON.stringify(channelId)}, { content: "Hello from a page" });
      const { content } = await heard;
      gateway.close();
      return content;
    })()`);
    expect(content).toBe("Hello from a page");
  },
);

test("a page learns why the gateway refuses it, although its WebSocket does not say so", async () => {
  const tab = await (await site.openWindow()).openTab();
  await keepTokens(tab, owner.tokens);
  await openClient(tab);
  const refusal = await tab.evaluate(
    "client.gateway({ shard: [2, 2] }).connect().catch(({ status, code }) => ({ status, code }))",
  );
  expect(refusal).toEqual({ status: 400, code: "shard_invalid" });
});

test("a page that is looked at again finds out at once whether its connection still works", async () => {
  const tab = await (await site.openWindow()).openTab();
  await keepTokens(tab, owner.tokens);
  await openClient(tab);
  const opened = tab.waitForEvent("websocket");
  await tab.evaluate("(globalThis.gateway = client.gateway({ times: { heartbeatMs: 3_600_000 } })).connect()");
  const sent = (await opened).waitForEvent("framesent");
  await tab.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
  expect(String((await sent).payload)).toContain("HEARTBEAT");
});

test("an upload reports its progress, and a signal ends it", async () => {
  const message = await owner.messages.send(channelId, { content: "Look" });
  const tab = await (await site.openWindow()).openTab();
  await keepTokens(tab, owner.tokens);
  await openClient(tab);
  await tab.evaluate(`globalThis.formOf = (bytes) => {
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(${JSON.stringify([...pngPixel])}), new Uint8Array(bytes)]), "a.png");
    return form;
  }`);
  const sent = await tab.evaluate(`(async () => {
    const progress = [];
    const onProgress = (next) => progress.push(next);
    const [file] = await client.attachments.upload("${message.id}", formOf(4_000_000), { onProgress });
    return { size: file.file_size, last: progress.at(-1) };
  })()`);
  expect(sent).toMatchObject({ size: pngPixel.length + 4_000_000 });
  expect(sent).toMatchObject({ last: { loaded: expect.any(Number), total: expect.any(Number) } });
  const ended = await tab.evaluate(`(async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error("Changed my mind"));
    const options = { onProgress, signal: controller.signal };
    return client.attachments.upload("${message.id}", formOf(9_000_000), options).catch((error) => error.message);
  })()`);
  expect(ended).toBe("Changed my mind");
});

describe("tabs", () => {
  test("renew their common session at the same time without ending it, and use what another has renewed", async () => {
    const window = await site.openWindow();
    const [first, second] = [await window.openTab(), await window.openTab()];
    const tabs = [first, second];
    await keepTokens(first, { accessToken: "expired", refreshToken: owner.tokens?.refreshToken });
    await Promise.all(tabs.map(openClient));
    const asked = tabs.map((tab) => tab.evaluate("client.users.me().then(({ id }) => id)"));
    const [id] = await Promise.all(asked);
    const third = await window.openTab();
    await openClient(third);
    for (const tab of [...tabs, third]) expect(await tab.evaluate("client.users.me().then(({ id }) => id)")).toBe(id);
    expect(await third.evaluate("refreshes")).toBe(0);
    // The session goes on with the refresh token that is kept now.
    await third.evaluate(`(() => {
      const { refreshToken } = client.tokens;
      localStorage.setItem("parley.tokens", JSON.stringify({ accessToken: "expired", refreshToken }));
    })()`);
    expect(await third.evaluate("client.users.me().then(({ id }) => id)")).toBe(id);
  });

  test("tabs are not logged out while another one waits for the answer of a change of the password", async () => {
    const window = await site.openWindow();
    const [first, second] = [await window.openTab(), await window.openTab()];
    await keepTokens(first, owner.tokens);
    await openClient(first);
    await openClient(second);
    const [changed, released] = [createGate(), createGate()];
    await first.route("**/auth/change-password", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const response = await route.fetch();
      changed.open();
      await released.opened;
      return route.fulfill({ response });
    });
    const change = JSON.stringify({ current_password: "correct horse", new_password: "battery staple" });
    const changing = first.evaluate(`client.changePassword(${change}).then(({ id }) => id)`);
    await changed.opened;
    const refused = second.waitForResponse((response) => response.url().endsWith("/auth/refresh") && !response.ok());
    const asked = second.evaluate("client.users.me().then(({ id }) => id, (error) => String(error))");
    await refused;
    // The page has dealt with the refusal when it has run a later task.
    await second.evaluate("new Promise((resolve) => setTimeout(resolve))");
    released.open();
    expect(await asked).toBe(await changing);
    for (const tab of [first, second]) expect(await tab.evaluate("told.includes(null)")).toBe(false);
    expect(await first.evaluate(`localStorage.getItem("parley.tokens.replacement")`)).toBe(null);
  });

  test("learn of the end of the session, and of the next one, from each other", async () => {
    const window = await site.openWindow();
    const [first, second] = [await window.openTab(), await window.openTab()];
    await keepTokens(first, owner.tokens);
    await openClient(first);
    await openClient(second);
    const ended = second.evaluate(`(async () => {
      const gateway = client.gateway({ backoff: { baseMs: 20, maxMs: 200 } });
      await gateway.connect();
      globalThis.connected = true;
      return new Promise((resolve) => gateway.on("close", (error) => resolve(error?.status)));
    })()`);
    await second.waitForFunction("globalThis.connected");
    await first.evaluate("client.logout()");
    expect(await ended).toBe(401);
    await second.waitForFunction("told.length === 1 && told[0] === null && client.tokens === null");
    const account = JSON.stringify({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
    const { id } = await first.evaluate<{ id: string }>(`client.register(${account})`);
    await second.waitForFunction("told.length === 2");
    expect(await second.evaluate("client.users.me().then(({ id }) => id)")).toBe(id);
  });
});

test("a reloaded page goes on where it was", async () => {
  const tab = await (await site.openWindow()).openTab();
  await keepTokens(tab, owner.tokens);
  const connect = `(async () => {
    globalThis.contents = [];
    const position = sessionStorage.getItem("position");
    globalThis.gateway = client.gateway(position === null ? {} : { position });
    gateway.on("MESSAGE_CREATE", ({ content }) => contents.push(content));
    addEventListener("pagehide", () => sessionStorage.setItem("position", gateway.position));
    return (await gateway.connect()) === null;
  })()`;
  await openClient(tab);
  expect(await tab.evaluate(connect)).toBe(false);
  await owner.messages.send(channelId, { content: "before" });
  await tab.waitForFunction("contents.length === 1");
  await tab.goto("about:blank");
  await owner.messages.send(channelId, { content: "meanwhile" });
  await tab.goBack();
  await tab.waitForFunction("globalThis.parley !== undefined");
  await openClient(tab);
  expect(await tab.evaluate(connect)).toBe(true);
  await owner.messages.send(channelId, { content: "after" });
  await waitUntil(async () => (await tab.evaluate("contents.length")) === 2);
  expect(await tab.evaluate("contents")).toEqual(["meanwhile", "after"]);
});
