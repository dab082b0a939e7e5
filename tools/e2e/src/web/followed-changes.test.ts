import { createChannel, createServerWithMembers, type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { pngPixel } from "../api/sample-files.js";
import { upload } from "../api/upload-stage.js";
import { channelPath, composer, messageWith, useWebStage, waitForValue, waitUntilGone } from "./web-stage.js";

// Open pages follow what others change, and what their own user changes elsewhere, without another look.

const stage = useWebStage();

const link = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: new RegExp(name) });

test("two devices of one person show the same profile, unread marks, channels and files", async () => {
  const { owner: ada, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const news = await createChannel(ada, server.id, { name: "news" });
  const desk = await stage.visit(ben, { path: channelPath(channel) });
  const couch = await stage.visit(ben, { path: channelPath(channel) });
  const pages = [desk, couch];
  for (const page of pages) await composer(page).waitFor();

  const panel = (page: Page) => page.getByRole("region", { name: "You", exact: true });
  await panel(desk).getByRole("button", { name: ben.username }).click();
  await desk.getByRole("menuitem", { name: "Do not disturb" }).click();
  for (const page of pages) await panel(page).getByText("Do not disturb").first().waitFor();

  const message = await postMessage(ada, news.id, "Look at this. @everyone");
  for (const page of pages) await link(page, "news").filter({ hasText: "1 mention" }).waitFor();
  await link(desk, "news").click();
  await messageWith(desk, "Look at this.").waitFor();
  for (const page of pages) await waitUntilGone(link(page, "news").filter({ hasText: /mention|unread/ }));

  await link(couch, "news").click();
  expect((await upload(ada, message.id, [{ name: "board.png", bytes: pngPixel }])).status).toBe(201);
  for (const page of pages) {
    await messageWith(page, "Look at this.").getByRole("button", { name: "Open board.png" }).waitFor();
  }

  await createChannel(ada, server.id, { name: "endgames" });
  for (const page of pages) await link(page, "endgames").waitFor();
  expect((await ada.patch(`/channels/${news.id}`, { name: "letters" })).status).toBe(200);
  for (const page of pages) {
    await link(page, "letters").waitFor();
    await page.getByRole("heading", { name: "letters", level: 1 }).waitFor();
    await page.context().close();
  }
});

test("whoever reads a channel that is deleted is told, and stands in another one", async () => {
  const { owner: ada, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const side = await createChannel(ada, server.id, { name: "side-room" });
  const page = await stage.visit(ben, { path: channelPath(side) });
  await composer(page).waitFor();
  expect((await ada.delete(`/channels/${side.id}`)).status).toBe(204);
  await page.getByRole("status").filter({ hasText: "You no longer have access to #side-room." }).waitFor();
  await page.getByRole("heading", { name: channel.name, level: 1 }).waitFor();
  expect(await link(page, "side-room").count()).toBe(0);
  await page.context().close();
});

test("a server has its new name on every page, joiners in its list of members, and is left when it is deleted", async () => {
  const { owner: ada, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const page = await stage.visit(ben, { path: channelPath(channel) });
  await composer(page).waitFor();
  const list = page.getByRole("complementary", { name: "Members" });
  await list.getByRole("button", { name: new RegExp(ada.username) }).waitFor();
  expect((await ada.patch(`/servers/${server.id}`, { name: "Chess club of Ghent" })).status).toBe(200);
  await page.getByRole("button", { name: "Chess club of Ghent: menu" }).waitFor();

  const zoe = await stage.client.register();
  expect((await zoe.post(`/servers/${server.id}/join`)).status).toBe(201);
  const entry = list.getByRole("button", { name: new RegExp(zoe.username) });
  await entry.waitFor();
  expect((await zoe.delete(`/servers/${server.id}/leave`)).status).toBe(204);
  await waitUntilGone(entry);

  expect((await ada.delete(`/servers/${server.id}`)).status).toBe(204);
  await page.getByRole("status").getByText("You’re no longer in Chess club of Ghent, or it was deleted.").waitFor();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await page.context().close();
});

test("what is made, joined and left on one device is so on the other", async () => {
  const { owner: ada, server } = await createServerWithMembers(stage.client, 0);
  const ben = await stage.client.register();
  const page = await stage.visit(ben, { path: "/dm" });
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  const rail = page.getByRole("navigation", { name: "Servers" });
  const entry = rail.getByRole("link", { name: new RegExp(server.name) });
  expect((await ben.post(`/servers/${server.id}/join`)).status).toBe(201);
  await entry.click();
  await composer(page).waitFor();
  await page.getByRole("button", { name: `${server.name}: menu` }).click();
  await page.getByRole("menuitem", { name: "Leave the server" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave the server" }).click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await waitUntilGone(entry);
  expect((await ada.get(`/servers/${server.id}/members/${ben.user.id}`)).status).toBe(404);
  await page.context().close();
});

test("settings that somebody else changes are shown, but for what is being typed", async () => {
  const { owner: ada, server } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(ada, { path: `/servers/${server.id}/settings/automod` });
  const minutes = page.getByRole("spinbutton", { name: "Timeout (minutes)" });
  const messages = page.getByRole("spinbutton", { name: "Messages", exact: true });
  await minutes.fill("77");
  const spam = page.getByRole("combobox", { name: "Action" }).first();
  const change = { spam_max_messages: 9, timeout_minutes: 33, spam_action: "kick" };
  expect((await ada.patch(`/servers/${server.id}/automod`, change)).status).toBe(200);
  await waitForValue(messages, "9");
  await waitForValue(spam, "kick");
  await waitForValue(minutes, "77");
  expect((await ada.post(`/servers/${server.id}/automod/words`, { word: "oxymoron" })).status).toBe(201);
  await page.getByRole("button", { name: /^Remove oxymoron$/i }).waitFor();

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  expect((await ada.patch(`/servers/${server.id}/automod`, { timeout_minutes: 33 })).status).toBe(200);
  await waitForValue(minutes, "33");
  await page.context().close();
});
