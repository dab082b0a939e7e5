import { Ban, Server } from "@parley/contracts";
import { joinServer, listMessages, postMessage } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import {
  actInMenu,
  type Conversation,
  composer,
  messageWith,
  openConversation,
  registerAs,
  sentMessage,
  useWebStage,
  waitForCount,
  waitForValue,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

test("a slow channel says how long to wait, keeps what is written meanwhile, and takes it afterwards", async () => {
  const { ada, adasPage, bensPage, server, channel } = talk;
  await adasPage
    .getByRole("navigation", { name: "Channels" })
    .getByRole("link", { name: channel.name })
    .click({ button: "right" });
  await adasPage.getByRole("menuitem", { name: "Edit channel" }).click();
  const dialog = adasPage.getByRole("dialog", { name: `Edit ${channel.name}` });
  await dialog.getByRole("combobox", { name: "Slow mode" }).selectOption({ label: "5 seconds" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(dialog);
  const slow = (await ada.get(`/servers/${server.id}/channels`)).body;
  expect(slow).toMatchObject([{ slow_mode_seconds: 5 }]);

  await write(bensPage, "The first");
  await sentMessage(bensPage, "The first");
  const wait = bensPage.getByRole("timer");
  await wait.getByText(/^Slow mode: you can write again in [1-5] seconds?\.$/).waitFor();
  await write(bensPage, "The second");
  await waitForValue(composer(bensPage), "The second");
  await waitForCount(messageWith(bensPage, "The second"), 0);
  // What the page knows of the wait survives a reload, as the draft does.
  await bensPage.reload();
  await waitForValue(composer(bensPage), "The second");
  await waitUntilGone(wait);
  await composer(bensPage).press("Enter");
  await sentMessage(bensPage, "The second");
  // Who manages messages does not wait.
  await write(adasPage, "At once");
  await sentMessage(adasPage, "At once");
  await waitForCount(adasPage.getByRole("timer"), 0);
  await ada.patch(`/channels/${channel.id}`, { slow_mode_seconds: 0 });
  await waitUntilGone(wait);
});

test("many messages are selected by pointer, with Shift and by keyboard, and deleted after a question", async () => {
  const { ada, adasPage: page, bensPage, channel } = talk;
  for (const name of ["spam 1", "spam 2", "spam 3", "spam 4", "keep me"]) await postMessage(ada, channel.id, name);
  await sentMessage(page, "keep me");
  const box = (text: string) => messageWith(page, text).getByRole("checkbox", { name: "Select this message" });
  const bar = page.getByRole("toolbar", { name: "Selected messages" });
  await actInMenu(page, "spam 1", "Select");
  await bar.getByText("1 message selected").waitFor();
  await box("spam 3").click({ modifiers: ["Shift"] });
  await bar.getByText("3 messages selected").waitFor();
  await page.keyboard.press("Escape");
  await waitUntilGone(bar);

  await actInMenu(page, "spam 1", "Select");
  await messageWith(page, "spam 3").focus();
  await page.keyboard.press("Shift+Space");
  await bar.getByText("3 messages selected").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await bar.getByText("5 messages selected").waitFor();
  await box("keep me").click();
  await bar.getByText("4 messages selected").waitFor();
  await bar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 4 messages?" });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(bar);
  for (const shown of [page, bensPage]) await waitForCount(messageWith(shown, "spam"), 0);
  await messageWith(page, "keep me").waitFor();
  const left = (await listMessages(ada, channel.id)).map(({ content }) => content);
  expect(left.filter((content) => content.startsWith("spam"))).toEqual([]);
  expect(left).toContain("keep me");
});

test("a ban may last for a while and take messages with it, and the list of bans says until when", async () => {
  const { ada, adasPage: page, server, channel, path } = talk;
  const cleo = await registerAs(stage.client, "cleo");
  await joinServer(cleo, server.id);
  await postMessage(cleo, channel.id, "An advertisement");
  const author = messageWith(page, "An advertisement").getByRole("button", { name: cleo.username });
  await author.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Ban" }).click();
  const dialog = page.getByRole("dialog", { name: `Ban ${cleo.username}?` });
  await dialog.getByRole("combobox", { name: "Duration" }).selectOption({ label: "7 days" });
  await dialog.getByRole("combobox", { name: "Delete their messages" }).selectOption({ label: "Of the last 1 hour" });
  await dialog.getByRole("textbox", { name: "Reason (optional)" }).fill("Advertising");
  await dialog.getByRole("button", { name: "Ban" }).click();
  await waitUntilGone(dialog);
  await waitForCount(messageWith(page, "An advertisement"), 0);
  const [ban] = (await ada.get(`/servers/${server.id}/bans`)).expect(200, z.array(Ban));
  expect(ban).toMatchObject({ user_id: cleo.user.id, reason: "Advertising" });
  const days = (Date.parse(ban?.expires_at ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  await page.goto(page.url().replace(path, `/servers/${server.id}/settings/bans`));
  await page
    .getByRole("list", { name: "Bans" })
    .getByText(/Advertising · .* · Until /)
    .waitFor();
});

test("a server that is made here has a hierarchy of roles", async () => {
  const dora = await registerAs(stage.client, "dora");
  const page = await stage.visit(dora);
  await page.getByRole("main").getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Chess club");
  await dialog.getByRole("button", { name: "Create" }).click();
  await waitUntilGone(dialog);
  const servers = (await dora.get("/servers")).expect(200, z.array(Server));
  expect(servers).toMatchObject([{ name: "Chess club", hierarchy: true }]);
});
