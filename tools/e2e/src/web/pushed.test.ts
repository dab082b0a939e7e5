import { DmChannel, Message, Server } from "@parley/contracts";
import { type Page, postMessage } from "@parley/testing";
import sharp from "sharp";
import { expect, test } from "vitest";
import { z } from "zod";
import { listenTo } from "./pushed-browser.js";
import {
  channelPath,
  messageWith,
  openConversation,
  useWebStage,
  waitUntilGone,
  workerTestMsMax,
} from "./web-stage.js";

// What the service worker does with what is pushed, which Chromium's own protocol delivers here: there is no push
// service of a browser vendor in a test.

const stage = useWebStage();

const pushOf = (channel: { id: string; server_id: string | null }, more: object = {}) => ({
  type: "message",
  title: "ben in #general",
  text: "Lunch?",
  server_id: channel.server_id,
  channel_id: channel.id,
  message_id: "00000000-0000-7000-8000-000000000000",
  url:
    channel.server_id === null
      ? `/app/dm/${channel.id}`
      : `/app${channelPath({ server_id: channel.server_id, id: channel.id })}`,
  tag: channel.id,
  count: 1,
  ...more,
});

test(
  "a push is one notification of its channel, with what can be done about it, until it is read elsewhere",
  async () => {
    const { ada, adasPage, channel, server } = await openConversation(stage, { hasWorker: true });
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.append("image", new Blob([new Uint8Array(picture)], { type: "image/png" }), "server.png");
    const { icon_url } = (await ada.send("POST", `/servers/${server.id}/icon`, { body })).expect(200, Server);
    const { push, leave, shown, watchBadge } = await listenTo(stage, adasPage, icon_url ?? "none");
    const badge = await watchBadge();
    // Who has a page before them sees there what is new.
    await push(pushOf({ id: "seen in the page", server_id: null }));
    await leave();
    await push(pushOf(channel));
    const actions = [
      { action: "reply", title: "Reply" },
      { action: "read", title: "Mark as read" },
    ];
    const first = { title: "ben in #general", body: "Lunch?", tag: channel.id };
    await expect.poll(shown).toMatchObject([{ ...first, icon: `/api${icon_url}`, actions }]);
    expect(await badge()).toBe(1);
    // A copy of it changes nothing.
    await push(pushOf(channel));
    const { text: _text, ...withoutText } = pushOf(channel, { count: 3 });
    await push(withoutText);
    await expect.poll(shown).toMatchObject([{ title: "(3) ben in #general", body: "", tag: channel.id }]);
    await push(pushOf({ id: "another", server_id: null }));
    await expect.poll(async () => (await shown()).map(({ tag }) => tag).sort()).toEqual([channel.id, "another"].sort());
    await expect.poll(badge).toBe(5);
    await push({ type: "read", tag: channel.id });
    await expect.poll(async () => (await shown()).map(({ tag }) => tag)).toEqual(["another"]);
    await expect.poll(badge).toBe(1);
  },
  workerTestMsMax,
);

test(
  "a press on a notification opens its place in the page that is open",
  async () => {
    const { adasPage, channel, server, path } = await openConversation(stage, { hasWorker: true });
    const { push, leave, shown, press } = await listenTo(stage, adasPage);
    await leave();
    await push(pushOf(channel));
    await expect.poll(shown).toMatchObject([{ tag: channel.id }]);
    await adasPage.goto(`${stage.stack.edgeUrl}/app/friends`);
    await adasPage.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: server.name }).waitFor();
    await adasPage.evaluate("globalThis.isSame = true");
    await press(channel.id);
    await expect.poll(() => new URL(adasPage.url()).pathname).toBe(`/app${path}`);
    expect(await adasPage.evaluate("globalThis.isSame")).toBe(true);
    await expect.poll(shown).toEqual([]);
  },
  workerTestMsMax,
);

test(
  "an answer in a notification is sent once: by the page that is open, or by the next one",
  async () => {
    const { ada, ben, adasPage, bensPage, channel, server } = await openConversation(stage, { hasWorker: true });
    const { push, leave, shown, press } = await listenTo(stage, adasPage);
    const dm = (await ada.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel);
    await leave();
    await push(pushOf(channel));
    await push(pushOf({ id: dm.id, server_id: null }));
    await expect.poll(async () => (await shown()).length).toBe(2);
    await press(channel.id, "reply", "On my way");
    await expect.poll(async () => (await shown()).length).toBe(1);
    const friends = `${stage.stack.edgeUrl}/app/friends`;
    await adasPage.goto(friends);
    const other = await adasPage.context().newPage();
    await other.goto(friends);
    await messageWith(bensPage, "On my way").waitFor();
    for (const page of [adasPage, other])
      await page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: server.name }).waitFor();
    await press(dm.id, "reply", "Just for you");
    const sent = async (path: string, text: string) =>
      (await ada.get(path))
        .expect(200, z.array(Message.pick({ content: true })))
        .filter(({ content }) => content === text);
    await expect.poll(() => sent(`/dm-channels/${dm.id}/messages`, "Just for you")).toHaveLength(1);
    await postMessage(ben, channel.id, "See you");
    await messageWith(bensPage, "See you").waitFor();
    expect(await sent(`/channels/${channel.id}/messages`, "On my way")).toHaveLength(1);
    expect(await sent(`/dm-channels/${dm.id}/messages`, "Just for you")).toHaveLength(1);
    // Nobody was led away for that.
    expect(adasPage.url()).toBe(friends);
  },
  workerTestMsMax,
);

test(
  "a channel is marked as read in a notification, by the page that is open",
  async () => {
    const { ada, ben, adasPage, channel, server } = await openConversation(stage, { hasWorker: true });
    const { push, leave, shown, press } = await listenTo(stage, adasPage);
    await leave();
    await push(pushOf(channel));
    await expect.poll(shown).toHaveLength(1);
    await postMessage(ben, channel.id, `@${ada.username} lunch?`);
    await adasPage.goto(`${stage.stack.edgeUrl}/app/friends`);
    const unread = adasPage
      .getByRole("navigation", { name: "Servers" })
      .getByRole("link", { name: new RegExp(`${server.name}, unread messages`) });
    await unread.waitFor();
    await press(channel.id, "read");
    await waitUntilGone(unread);
    await expect.poll(shown).toEqual([]);
  },
  workerTestMsMax,
);

test("the icon has the number of mentions and direct messages, the same by all pages, and none after the logout", async () => {
  const script = "navigator.setAppBadge = async (count) => { globalThis.badge = count; };";
  const { ada, ben, adasPage, channel, path } = await openConversation(stage, { script });
  const badge = (page: Page) => page.evaluate<number | undefined>("globalThis.badge");
  await expect.poll(() => badge(adasPage)).toBe(0);
  const other = await adasPage.context().newPage();
  for (const page of [adasPage, other]) await page.goto(`${stage.stack.edgeUrl}/app/friends`);
  // What is sent before READY may be in its counts and arrive as an event, too.
  for (const page of [adasPage, other]) await expect.poll(() => badge(page)).toBe(0);
  const dm = (await ben.post("/dm-channels", { user_id: ada.user.id })).expect(201, DmChannel);
  await ben.post(`/dm-channels/${dm.id}/messages`, { content: "Psst" });
  await postMessage(ben, channel.id, `@${ada.username} and nobody else`);
  await postMessage(ben, channel.id, "Not counted");
  for (const page of [adasPage, other]) await expect.poll(() => badge(page)).toBe(2);
  await other.goto(`${stage.stack.edgeUrl}/app${path}`);
  for (const page of [adasPage, other]) await expect.poll(() => badge(page)).toBe(1);
  await adasPage.getByRole("button", { name: new RegExp(`^${ada.username}\\b.*Online$`) }).click();
  await adasPage.getByRole("menuitem", { name: "Log out" }).click();
  for (const page of [adasPage, other]) await expect.poll(() => badge(page)).toBe(0);
});
