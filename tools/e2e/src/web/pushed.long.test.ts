import { DmChannel, Message } from "@parley/contracts";
import { type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { listenTo, pushOf } from "./pushed-browser.js";
import { messageWith, openConversation, useWebStage, waitUntilGone, workerTestMsMax } from "./web-stage.js";

const stage = useWebStage({ isWhole: true });

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
  // A message from before READY may be in its counts and arrive as an event, too.
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
