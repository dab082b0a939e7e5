import { createGate, type Page, postMessage, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startPages } from "../api/link-preview-stage.js";
import { pngPixel } from "../api/sample-files.js";
import { findingsInBothSchemes } from "./barriers.js";
import {
  actInMenu,
  type Conversation,
  messageWith,
  openConversation,
  useOwnWebStage,
  waitForCount,
  write,
} from "./web-stage.js";

// What messages show besides their text, and what is made of it.

// 127.0.0.2 stands for the public internet, as in the tests of link previews.
const stage = useOwnWebStage({ env: { LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32" } });
let web: Awaited<ReturnType<typeof startPages>>;
let talk: Conversation;
/** Addresses that the pages have asked for. */
const asked: string[] = [];

beforeAll(async () => {
  web = await startPages();
  const prepare = async (page: Page) => void page.on("request", (request) => asked.push(request.url()));
  talk = await openConversation(stage, { prepare });
});
afterAll(() => web?.close());

test("a link card comes with its message, without a request of the reader, and its author removes it for everybody", async () => {
  const { adasPage, bensPage } = talk;
  const head = '<title>Queen&#39;s gambit</title><meta property="og:image" content="/board.png">';
  await write(bensPage, `Read this: ${web.publish(head)}`);
  const cards = [adasPage, bensPage].map((page) =>
    messageWith(page, "Read this").getByRole("link", { name: "Queen's gambit" }),
  );
  for (const card of cards) await card.waitFor();
  await adasPage.reload();
  for (const card of cards) await card.waitFor();
  expect(asked.filter((url) => /link-preview|board\.png/.test(url))).toEqual([]);
  await actInMenu(bensPage, "Read this", "Remove link previews");
  for (const card of cards) await waitForCount(card, 0);
});

test("code is shown in the colours of its language, by a script that is loaded for it, and stays what it is", async () => {
  const { adasPage: page, ben, channel } = talk;
  const scripts = () => asked.filter((url) => url.includes("/code-worker")).length;
  expect(scripts()).toBe(0);
  const code = 'const board = "<img src=x onerror=alert(1)>"; // e4';
  await postMessage(ben, channel.id, `Plain\n\`\`\`klingon\n${code}\n\`\`\``);
  await postMessage(ben, channel.id, `Coloured\n\`\`\`ts\n${code}\nfunction move(n: number) { return n + 1; }\n\`\`\``);
  const block = messageWith(page, "Coloured").locator("pre");
  await block.locator("[data-kind=keyword]", { hasText: "const" }).waitFor();
  await block.locator("[data-kind=string]", { hasText: "onerror" }).waitFor();
  await expect.poll(() => block.textContent()).toContain(code);
  await expect.poll(() => messageWith(page, "Plain").locator("pre").textContent()).toContain(code);
  await expect.poll(() => messageWith(page, "Plain").locator("pre [data-kind]").count()).toBe(0);
  expect(scripts()).toBeGreaterThan(0);
  expect(await findingsInBothSchemes(page)).toEqual([]);
});

test("a picture that is still to be loaded has its size and shows its name, and moves nothing when it comes", async () => {
  const { adasPage: page, ben, channel } = talk;
  const released = createGate();
  await page.route(/\/files\//, async (route) => {
    await released.opened;
    await route.continue();
  });
  const form = new FormData();
  form.append("payload_json", JSON.stringify({ content: "The position" }));
  const buffer = await page.screenshot();
  form.append("files", new Blob([new Uint8Array(buffer)], { type: "image/png" }), "board.png");
  expect((await ben.send("POST", `/channels/${channel.id}/messages`, { body: form })).status).toBe(201);
  await postMessage(ben, channel.id, "Below it");
  const picture = messageWith(page, "The position").getByRole("button", { name: "Open board.png" });
  await picture.getByText("board.png").waitFor();
  await messageWith(page, "Below it").waitFor();
  const places = async () => [await picture.boundingBox(), await messageWith(page, "Below it").boundingBox()];
  const before = await places();
  expect(before[0]?.height).toBeGreaterThan(100);
  released.open();
  await waitUntil(() =>
    page.evaluate("document.querySelector('article img[alt=\"board.png\"]').naturalWidth === 1280"),
  );
  await waitForCount(picture.getByText("board.png"), 0);
  expect(await places()).toEqual(before);
});

test("an incoming webhook is made and tried in the settings, and what it and bots send is shown without asking strangers", async () => {
  const { ada, adasPage: page, server, channel } = talk;
  const settings = await stage.visit(ada, { path: `/servers/${server.id}/settings/incoming-webhooks` });
  const main = settings.getByRole("main");
  await main.getByRole("textbox", { name: "Name" }).fill("Builds");
  await main.getByRole("button", { name: "Create an incoming webhook" }).click();
  const address = (await main.locator("pre").textContent()) ?? "";
  expect(address).toContain("/hooks/");
  await main.getByRole("button", { name: "Send a test message" }).click();
  await messageWith(page, "A test message of Builds.").getByText("Builds", { exact: true }).waitFor();
  // The colours of what the mouse is on are others.
  await settings.mouse.move(0, 0);
  expect(await findingsInBothSchemes(settings)).toEqual([]);
  await settings.close();

  const picture = web.publish(pngPixel, "image/png");
  const embed = {
    title: "Build 412",
    color: 0x3ba55d,
    image: { url: picture },
    fields: [{ name: "Time", value: "**4** min" }],
  };
  const posted = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "CI", embeds: [embed] }),
  });
  expect(posted.status).toBe(204);
  const card = page.getByRole("region", { name: "Build 412" });
  await card.getByText("4", { exact: true }).waitFor();
  await waitUntil(() => asked.some((url) => url.includes("/embed-pictures?")));
  expect(asked.filter((url) => url.startsWith(web.base))).toEqual([]);
  expect(await findingsInBothSchemes(page)).toEqual([]);

  const { token } = z.object({ token: z.string() }).parse((await ada.post("/bots", { name: "Helper" })).body);
  const bot = stage.client.withAuthorization(`Bot ${token}`);
  expect((await bot.post(`/servers/${server.id}/join`)).status).toBe(201);
  const row = [
    { type: "button", style: "link", label: "Open", url: "https://example.com/412" },
    { type: "button", style: "success", label: "Approve", custom_id: "approve" },
  ];
  expect((await bot.post(`/channels/${channel.id}/messages`, { components: [row] })).status).toBe(201);
  await expect
    .poll(() => page.getByRole("link", { name: "Open" }).getAttribute("href"))
    .toBe("https://example.com/412");
  await expect.poll(() => page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(false);
});
