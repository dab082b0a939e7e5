import { joinServer, type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { pngPixel } from "../api/stages/sample-files.js";
import { upload } from "../api/stages/upload-stage.js";
import {
  act,
  actInMenu,
  composer,
  messageWith,
  openConversation,
  registerAs,
  sentMessage,
  useWebStage,
  waitUntilGone,
  write,
} from "./web-stage.js";

// The page reads shown data once; every later change comes as an event. The events of the real servers decide whether
// that is enough: with a fake one, this would be a test of the fake.

const stage = useWebStage();

/**
 * The most requests of each kind that a user may need: their own actions, and the first reading of the places that they
 * open. The page makes no others.
 */
const most: Readonly<Record<string, number>> = {
  "GET /channels/:id/messages": 1,
  "GET /channels/:id/pinned-messages": 1,
  // When a menu is opened, for the commands of bots there.
  "GET /channels/:id/commands": 1,
  // A while after READY, and after a mark that may have read an item.
  "GET /users/@me/drafts": 1,
  "GET /users/@me/inbox": 4,
  // When the menu of a message is opened: which messages are saved.
  "GET /users/@me/saved": 1,
  // For texts that stand in the field for longer than a pause, and again once they are sent.
  "PUT /users/@me/drafts/:id": 12,
  "GET /files/:file": 1,
  "GET /servers/:id/retention": 1,
  // A reaction within two seconds of the reading of its message may be counted in it or not.
  "GET /channels/:id/messages/:id/reactions": 1,
  // One for each message of others, where they come more slowly than marks are sent.
  "POST /channels/:id/ack": 12,
  "POST /channels/:id/messages": 10,
  "POST /channels/:id/messages/:id/pin": 2,
  "DELETE /channels/:id/messages/:id/pin": 1,
  "PUT /channels/:id/messages/:id/reactions/:emoji": 1,
  "PATCH /messages/:id": 1,
  "POST /servers/:id/channels": 1,
  "DELETE /channels/:id": 1,
  "PATCH /servers/:id": 1,
};

/** Counts the requests of a page to the API from now on, by kind of request, without ids. */
function countRequests(page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/api/")) return;
    const path = pathname
      .slice("/api".length)
      .replace(/\/files\/.*/, "/files/:file")
      .replace(/[0-9a-f-]{36}/g, ":id")
      .replace(/\/reactions\/.+/, "/reactions/:emoji");
    const kind = `${request.method()} ${path}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  return counts;
}

const link = (page: Page, name: string | RegExp) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });
const writeTo = async (from: Page, to: Page, text: string) => {
  await write(from, text);
  await messageWith(to, text).waitFor();
};

test("two people use a server without requesting anything again that an event brought", async () => {
  const { ada, ben, adasPage, bensPage, server, channel } = await openConversation(stage);
  const pages = [adasPage, bensPage];
  for (const page of pages) {
    await page.getByRole("complementary", { name: "Members" }).getByRole("button", { name: ben.username }).waitFor();
    // Data that were read before READY are read again after it.
    await page.waitForLoadState("networkidle");
  }
  const counts = pages.map(countRequests);

  for (let n = 1; n <= 5; n += 1) {
    await writeTo(adasPage, bensPage, `Question ${n}.`);
    await writeTo(bensPage, adasPage, `Answer ${n}.`);
  }
  await act(bensPage, "Answer 3.", "Edit");
  const editor = bensPage.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Answer three.");
  await editor.press("Enter");
  await messageWith(adasPage, "Answer three.").waitFor();
  await act(bensPage, "Question 2.", "Add a reaction");
  await bensPage.getByRole("searchbox", { name: "Find an emoji" }).fill("heart");
  await bensPage.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "red heart" }).click();
  await messageWith(adasPage, "Question 2.")
    .getByRole("button", { name: /: 1 reaction$/ })
    .click();
  await messageWith(bensPage, "Question 2.")
    .getByRole("button", { name: /: 2 reactions/ })
    .waitFor();

  // Pins, beside the conversation in which one of them is changed.
  await bensPage.getByRole("button", { name: "Pinned messages" }).click();
  const pins = bensPage.getByRole("complementary", { name: "Pinned messages" });
  await pins.getByText("Nothing is pinned yet").waitFor();
  await actInMenu(adasPage, "Question 1.", "Pin");
  await pins.getByText("Question 1.").waitFor();
  await actInMenu(adasPage, "Question 5.", "Pin");
  await pins.getByText("Question 5.").waitFor();
  await actInMenu(adasPage, "Question 1.", "Unpin");
  await waitUntilGone(pins.getByText("Question 1."));
  await pins.getByRole("button", { name: "Close" }).click();

  // A channel, in which Ada writes, and to and fro between the channels.
  await adasPage.getByRole("button", { name: `${server.name}: menu` }).click();
  await adasPage.getByRole("menuitem", { name: "Create a channel" }).click();
  const creating = adasPage.getByRole("dialog", { name: "Create a channel" });
  await creating.getByRole("textbox", { name: "Name" }).fill("openings");
  await creating.getByRole("button", { name: "Create channel" }).click();
  await adasPage.getByRole("heading", { name: "openings", level: 1 }).waitFor();
  await link(bensPage, "openings").waitFor();
  await write(adasPage, "The Dutch");
  await sentMessage(adasPage, "The Dutch");
  await link(bensPage, /openings/).click();
  await messageWith(bensPage, "The Dutch").waitFor();
  for (const [round, name] of [channel.name, "openings", channel.name, "openings"].entries()) {
    for (const page of pages) await link(page, new RegExp(name)).click();
    for (const page of pages) await page.getByRole("heading", { name, level: 1 }).waitFor();
    await writeTo(adasPage, bensPage, `Round ${round} in ${name}`);
  }

  // Files that follow their message, and a user who joins and writes.
  const written = await postMessage(ada, channel.id, "The position");
  expect((await upload(ada, written.id, [{ name: "board.png", bytes: pngPixel }])).status).toBe(201);
  const zoe = await registerAs(stage.client, "zoe");
  await joinServer(zoe, server.id);
  for (const page of pages) {
    await page.getByRole("complementary", { name: "Members" }).getByRole("button", { name: zoe.username }).waitFor();
  }
  await postMessage(zoe, channel.id, "Hello from Zoe");
  for (const page of pages) {
    await link(page, new RegExp(channel.name)).click();
    await messageWith(page, "Hello from Zoe").getByText(zoe.username).waitFor();
    await messageWith(page, "The position").getByRole("button", { name: "Open board.png" }).waitFor();
  }

  // The server gets another name, and the channel goes.
  await adasPage.getByRole("button", { name: `${server.name}: menu` }).click();
  await adasPage.getByRole("menuitem", { name: "Server settings" }).click();
  await adasPage.getByRole("textbox", { name: "Name" }).fill("Chess club of Ghent");
  await adasPage.getByRole("button", { name: "Save", exact: true }).first().click();
  await adasPage.getByRole("heading", { name: "Settings of Chess club of Ghent" }).waitFor();
  await bensPage.getByRole("button", { name: "Chess club of Ghent: menu" }).waitFor();
  await adasPage.keyboard.press("Escape");
  await composer(adasPage).waitFor();
  await link(adasPage, /openings/).click({ button: "right" });
  await adasPage.getByRole("menuitem", { name: "Delete" }).click();
  await adasPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(link(adasPage, /openings/));
  await waitUntilGone(link(bensPage, /openings/));
  await writeTo(bensPage, adasPage, "The end");

  for (const ofPage of counts) {
    expect([...ofPage].filter(([kind, count]) => count > (most[kind] ?? 0))).toEqual([]);
  }
});
