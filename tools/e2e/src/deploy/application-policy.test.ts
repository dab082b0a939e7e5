import { Attachment } from "@parley/contracts";
import {
  type Browser,
  createClient,
  createServerWithMembers,
  type Page,
  postMessage,
  type SharedStack,
  sharedStack,
  startChromium,
} from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

// The effect of the application's headers (docs/protocol/requests.md#1.7) in a real browser.

let stack: SharedStack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await sharedStack();
  browser = await startChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  page = await browser.newPage();
  await page.addInitScript(`
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
  `);
  await page.goto(stack.edgeUrl);
});
afterEach(() => page.close());

const refused = () => page.evaluate("refused");

describe("the application in a browser", () => {
  test("the application in a browser is where the address of the installation leads, and needs nothing that its policy refuses", async () => {
    expect(new URL(page.url()).pathname).toBe("/app/");
    await page.locator("#root > *").first().waitFor();
    expect(await refused()).toEqual([]);
  });

  test("the application in a browser starts at every address within it", async () => {
    await page.goto(`${stack.edgeUrl}/app/servers/none/channels/none`);
    await page.locator("#root > *").first().waitFor();
    expect(await refused()).toEqual([]);
  });

  test("the application in a browser runs no script that is written into the page", async () => {
    await page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
      const image = document.createElement("div");
      image.innerHTML = '<img src="data:," onerror="globalThis.ran = true">';
      document.body.append(image);
    `);
    await page.waitForFunction("refused.length === 2");
    expect(await refused()).toEqual(expect.arrayContaining(["script-src-elem", "script-src-attr"]));
    expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  });

  test("the application in a browser connects to the gateway of its own address and to nobody else", async () => {
    const { accessToken } = await createClient(stack.edgeUrl).register();
    const connect = (url: string) =>
      page.evaluate(`new Promise((resolve) => {
        const socket = new WebSocket(${JSON.stringify(url)});
        socket.onmessage = ({ data }) => resolve(JSON.parse(data).t);
        socket.onerror = () => resolve("failed");
      })`);
    const own = stack.edgeUrl.replace("http", "ws");
    expect(await connect(`${own}/ws?token=${accessToken}`)).toBe("READY");
    expect(await refused()).toEqual([]);
    const [gateway] = stack.gateways;
    expect(await connect(`${gateway?.url.replace("http", "ws")}/ws?token=${accessToken}`)).toBe("failed");
    expect(await refused()).toEqual(["connect-src"]);
  });
});

test("no file of a user runs anything where the application is", async () => {
  const { owner, channel } = await createServerWithMembers(createClient(stack.edgeUrl), 0);
  const { id } = await postMessage(owner, channel.id, "files");
  const upload = async (name: string, type: string, bytes: Buffer) => {
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(bytes)], { type }), name);
    const answer = await owner.send("POST", `/messages/${id}/attachments`, { body: form });
    const [{ url }] = answer.expect(201, z.tuple([Attachment]));
    return new URL(url, stack.edgeUrl).href;
  };
  const script = "localStorage.setItem('ran', '1')";
  const text = await upload("code.js", "text/javascript", Buffer.from(script));
  const picture = await upload(
    "page.gif",
    "image/gif",
    Buffer.from(`GIF89a\x05\x00\x07\x00\x80\x00\x00<script>${script}</script>`, "latin1"),
  );
  const html = await upload("page.html", "text/html", Buffer.from(`<!doctype html><script>${script}</script>`));

  // As a script of the application's own origin, which its policy allows: the type forbids it.
  const outcome = await page.evaluate(`new Promise((resolve) => {
    const element = document.createElement("script");
    element.src = ${JSON.stringify(text)};
    element.onload = () => resolve("loaded");
    element.onerror = () => resolve("refused");
    document.body.append(element);
  })`);
  expect(outcome).toBe("refused");
  // As a page.
  await page.goto(picture);
  const saved = page.waitForEvent("download");
  await page.goto(html).catch(() => undefined);
  expect((await saved).suggestedFilename()).toBe("page.html");
  await page.goto(stack.edgeUrl);
  expect(await page.evaluate('localStorage.getItem("ran")')).toBeNull();
});
