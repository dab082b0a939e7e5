import { DmChannel } from "@parley/contracts";
import { createGate, type Page, waitUntil } from "@parley/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Conversation,
  composer,
  messageWith,
  openConversation,
  sentMessage,
  useOwnWebStage,
  waitForCount,
  waitForValue,
  write,
} from "./web-stage.js";

// A message that is written and not sent yet outlives the page, and is sent once: apis that stand still, a page that
// crashes, two tabs, the browser's question before it closes, and a real upload need both a server and a browser.

// Its own: tests pause its apis.
const stage = useOwnWebStage();
let talk: Conversation;

beforeEach(async () => {
  talk = await openConversation(stage);
});
afterEach(async () => {
  for (const api of stage.stack.apis) api.resume();
  for (const page of [talk.adasPage, talk.bensPage]) await page.context().close();
});

const messagesAddress = /\/messages$/;

/** How many messages the browser keeps. */
const countKept = (page: Page) =>
  page.evaluate<number>(`(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes("parley")) return 0;
    const settled = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const database = await settled(indexedDB.open("parley"));
    const count = await settled(database.transaction("unsent").objectStore("unsent").count());
    database.close();
    return count;
  })()`);

const waitForKept = (page: Page, count: number) =>
  waitUntil(async () => (await countKept(page)) === count, { what: `${count} messages kept in the browser` });

/** Keeps sent messages from the server until they are let through; counts those that were. */
async function holdMessages(page: Page) {
  const gate = createGate();
  const sent = { count: 0 };
  await page.context().route(messagesAddress, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await gate.opened;
    sent.count += 1;
    // The page that sent it may be gone.
    await route.continue().catch(() => undefined);
  });
  return { sent, release: gate.open };
}

async function directPath({ ada, ben }: Conversation): Promise<string> {
  const { id } = (await ada.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel);
  return `/dm/${id}`;
}

test.each([
  ["in a channel", async ({ path }: Conversation) => path],
  ["to somebody", directPath],
])("a message %s that is written while the api stands still is sent once after a reload", async (where, findPath) => {
  const { adasPage, bensPage } = talk;
  const path = await findPath(talk);
  for (const page of [adasPage, bensPage]) {
    await page.goto(`${stage.stack.edgeUrl}/app${path}`);
    await composer(page).waitFor();
  }
  for (const api of stage.stack.apis) api.pause();
  await write(adasPage, `Written in silence ${where}`);
  await messageWith(adasPage, "Written in silence").getByText("Sending").waitFor();
  await waitForKept(adasPage, 1);
  await adasPage.reload();
  for (const api of stage.stack.apis) api.resume();
  await messageWith(bensPage, "Written in silence").waitFor();
  await sentMessage(adasPage, "Written in silence");
  await waitForKept(adasPage, 0);
  await write(adasPage, "And on");
  await messageWith(bensPage, "And on").waitFor();
  for (const page of [adasPage, bensPage])
    await expect.poll(() => messageWith(page, "Written in silence").count()).toBe(1);
});

test("a message of a page that crashes is sent by the next one, in its place of the conversation", async () => {
  const { adasPage, bensPage } = talk;
  const context = adasPage.context();
  const held = await holdMessages(adasPage);
  await write(adasPage, "First of two");
  await write(adasPage, "Second of two");
  await waitForKept(adasPage, 2);
  const crashed = adasPage.waitForEvent("crash");
  await adasPage.goto("chrome://crash").catch(() => undefined);
  await crashed;
  held.release();
  const page = await context.newPage();
  await page.goto(`${stage.stack.edgeUrl}/app${talk.path}`);
  await sentMessage(page, "First of two");
  await sentMessage(page, "Second of two");
  await messageWith(bensPage, "Second of two").waitFor();
  await waitForKept(page, 0);
  const texts = await messageWith(bensPage, "of two").allInnerTexts();
  expect(texts.map((text) => text.match(/\w+ of two/)?.[0])).toEqual(["First of two", "Second of two"]);
});

test("two pages show the same message without an answer, and one of them sends it when the server is back", async () => {
  const { adasPage, bensPage } = talk;
  const context = adasPage.context();
  const other = await context.newPage();
  await other.goto(`${stage.stack.edgeUrl}/app${talk.path}`);
  await composer(other).waitFor();
  const server = { isAway: true, messages: 0 };
  await context.route(/\/messages$|\/health\/serving$/, (route) => {
    if (server.isAway) return route.abort("connectionrefused");
    if (route.request().method() === "POST") server.messages += 1;
    return route.continue();
  });
  await write(adasPage, "Is anybody there?");
  const mark = "Not sent yet. It goes out by itself once you’re back online.";
  for (const page of [adasPage, other]) await messageWith(page, "Is anybody there?").getByText(mark).waitFor();
  server.isAway = false;
  for (const page of [adasPage, other]) await page.evaluate("dispatchEvent(new Event('online'))");
  for (const page of [adasPage, other]) {
    await messageWith(page, "Is anybody there?")
      .filter({ hasNotText: "Sending" })
      .filter({ hasNotText: mark })
      .waitFor();
    await waitForCount(messageWith(page, "Is anybody there?"), 1);
  }
  await messageWith(bensPage, "Is anybody there?").waitFor();
  await waitForKept(adasPage, 0);
  expect(server.messages).toBe(1);
});

test("closing the page asks while a message would be lost, and not while it is kept", async () => {
  const { ben, adasPage, path } = talk;
  const held = await holdMessages(adasPage);
  await write(adasPage, "Kept in any case");
  await waitForKept(adasPage, 1);
  const closed = adasPage.waitForEvent("close");
  await adasPage.close({ runBeforeUnload: true });
  await closed;
  held.release();

  const script = `indexedDB.open = () => { throw new DOMException("No storage", "UnknownError"); };`;
  const page = await stage.visit(ben, { path, script });
  await composer(page).waitFor();
  const without = await holdMessages(page);
  await write(page, "Nowhere but here");
  await messageWith(page, "Nowhere but here").getByText("Sending").waitFor();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  without.release();
  await sentMessage(page, "Nowhere but here");
  const left = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await left;
  await page.context().close();
});

test("a message arrives with its files or not at all: its upload is canceled, changed, and goes on after a reload", async () => {
  const { adasPage, bensPage } = talk;
  const line = await adasPage.context().newCDPSession(adasPage);
  const limitUpload = (bytesPerSecond: number) =>
    line.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  const choose = adasPage.locator("input[type=file]");
  await choose.setInputFiles({
    name: "all.zip",
    mimeType: "application/zip",
    buffer: Buffer.from("PK\u0003\u0004\0\0"),
  });
  await adasPage.getByText("all.zip can’t be sent. Pictures (JPEG, PNG, GIF, WebP)").waitFor();
  await expect.poll(() => adasPage.getByRole("button", { name: /^Remove/ }).count()).toBe(0);
  await limitUpload(20_000);
  await choose.setInputFiles({
    name: "minutes.txt",
    mimeType: "text/plain",
    buffer: Buffer.alloc(2_000_000, "minutes "),
  });
  await adasPage.getByRole("button", { name: "Remove minutes.txt" }).waitFor();
  await write(adasPage, "The minuets");
  const slow = messageWith(adasPage, "The minuets");
  await waitUntil(async () => Number(await slow.getByRole("progressbar").getAttribute("value")) > 0, {
    what: "progress of the upload",
  });
  await slow.getByRole("button", { name: "Cancel upload" }).click();
  await slow.getByText("Not sent: You canceled the upload.").waitFor();
  await slow.getByRole("button", { name: "Edit" }).click();
  await adasPage.getByRole("button", { name: "Remove minutes.txt" }).waitFor();
  await waitForValue(composer(adasPage), "The minuets");
  await write(adasPage, "The minutes");
  await messageWith(adasPage, "The minutes").getByRole("progressbar").waitFor();
  // A later message does not wait for it.
  await write(adasPage, "They come slowly");
  await messageWith(bensPage, "They come slowly").waitFor();
  await expect.poll(() => messageWith(bensPage, "The min").count()).toBe(0);
  await waitForKept(adasPage, 1);
  await limitUpload(-1);
  await adasPage.reload();
  for (const page of [bensPage, adasPage]) {
    await messageWith(page, "The minutes")
      .getByRole("link", { name: /minutes\.txt/ })
      .waitFor();
    await waitForCount(messageWith(page, "The min"), 1);
  }
  await waitForKept(adasPage, 0);
});
