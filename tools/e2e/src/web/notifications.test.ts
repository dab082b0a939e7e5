import { randomUUID } from "node:crypto";
import { NotificationSettings } from "@parley/contracts";
import { createChannel, type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { runSql } from "../api/admin-stage.js";
import { act, type messageWith, openConversation, useWebStage, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();

const channels = (page: Page) => page.getByRole("navigation", { name: "Channels" });
const choose = async (page: Page, link: ReturnType<typeof messageWith>, entry: string) => {
  await link.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Notifications" }).click();
  await page
    .getByRole("menuitem", { name: entry })
    .or(page.getByRole("menuitemcheckbox", { name: entry }))
    .click();
};
const settingsOf = async (user: { get: (path: string) => ReturnType<typeof stage.client.get> }) =>
  (await user.get("/users/@me/notifications")).expect(200, NotificationSettings);

test("a muted channel stays quiet in the lists of every tab until it is heard of again", async () => {
  const { ada, ben, adasPage, server } = await openConversation(stage);
  const noisy = await createChannel(ada, server.id, { name: "noisy" });
  const other = await stage.visit(ada, { path: "/friends" });
  const link = channels(adasPage).getByRole("link", { name: /noisy/ });
  await choose(adasPage, link, "Mute until I turn it back on");
  await channels(adasPage)
    .getByRole("link", { name: /noisy.*, muted/ })
    .waitFor();
  expect((await settingsOf(ada)).channels[noisy.id]).toEqual({ level: null, muted_until: "forever" });
  await postMessage(ben, noisy.id, `@${ada.username} come here`);
  // What both have got is past the message before it.
  const servers = other.getByRole("navigation", { name: "Servers" });
  const mark = await createChannel(ada, server.id, { name: "mark" });
  await channels(adasPage).getByRole("link", { name: "mark" }).waitFor();
  expect(await link.textContent()).toBe("noisy, muted");
  expect(await servers.getByRole("link", { name: /unread/ }).count()).toBe(0);
  await choose(adasPage, link, "Unmute");
  await channels(adasPage)
    .getByRole("link", { name: /noisy.*, unread/ })
    .waitFor();
  await servers.getByRole("link", { name: /unread/ }).waitFor();
  expect(mark.name).toBe("mark");
});

test("levels of a server and of a thread are set in their menus, and a thread that one writes in is followed", async () => {
  const { ada, ben, adasPage, server, channel } = await openConversation(stage);
  const rail = adasPage.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: server.name });
  await choose(adasPage, rail, "All messages");
  await expect.poll(async () => (await settingsOf(ada)).servers[server.id]?.level).toBe("all");
  await adasPage.keyboard.press("Escape");
  await adasPage.keyboard.press("Escape");
  const root = await postMessage(ben, channel.id, "Shall we?");
  await act(adasPage, "Shall we?", "Reply in a thread");
  const panel = adasPage.getByRole("complementary", { name: "Thread" });
  const bell = panel.getByRole("button", { name: "Notifications" });
  await bell.click();
  expect(await adasPage.getByRole("menuitemcheckbox", { name: "As in the channel" }).getAttribute("aria-checked")).toBe(
    "true",
  );
  await adasPage.keyboard.press("Escape");
  await panel.getByRole("textbox").fill("Gladly.");
  await panel.getByRole("textbox").press("Enter");
  await panel.getByText("Gladly.").waitFor();
  await expect.poll(async () => (await settingsOf(ada)).threads[root.id]?.level).toBe("all");
  await bell.click();
  await adasPage.getByRole("menuitemcheckbox", { name: "All messages", checked: true }).waitFor();
  await adasPage.getByRole("menuitemcheckbox", { name: "Nothing" }).click();
  await expect.poll(async () => (await settingsOf(ada)).threads[root.id]?.level).toBe("nothing");
});

test("the default and quiet hours are set in the account, by the clock of the device", async () => {
  const { ada } = await openConversation(stage);
  const page = await stage.visit(ada, { path: "/account/notifications" });
  await page.getByRole("combobox", { name: "What I hear of" }).selectOption("Nothing");
  await expect.poll(async () => (await settingsOf(ada)).default.level).toBe("nothing");
  await page.getByRole("checkbox", { name: "Quiet hours" }).click();
  await page.getByLabel("From").waitFor();
  const zone = await page.evaluate<string>("new Intl.DateTimeFormat().resolvedOptions().timeZone");
  await page.getByLabel("To", { exact: true }).fill("06:30");
  await expect
    .poll(async () => await settingsOf(ada))
    .toMatchObject({ quiet: { from: "22:00", to: "06:30" }, timezone: zone });
  await page.getByRole("checkbox", { name: "Quiet hours" }).click();
  await expect.poll(async () => (await settingsOf(ada)).quiet).toBe(null);
  await waitUntilGone(page.getByLabel("From"));
});

test("mails are asked for with an address that is verified, and told why there are none without", async () => {
  const reader = await stage.client.register({ email: `${randomUUID()}@example.com` });
  const page = await stage.visit(reader, { path: "/account/notifications" });
  const choice = page.getByRole("combobox", { name: "Mails" });
  await page.getByText("verify the e-mail address in your profile first").waitFor();
  expect(await choice.isDisabled()).toBe(true);
  await runSql(stage.stack.databaseUrl, "UPDATE users SET email_verified_at = now() WHERE id = $1", [reader.user.id]);
  await page.reload();
  await choice.selectOption("When I missed something");
  await page.getByText("at most one an hour").waitFor();
  expect((await settingsOf(reader)).mail).toBe("mentions");
  const zone = await page.evaluate<string>("new Intl.DateTimeFormat().resolvedOptions().timeZone");
  await choice.selectOption("Every day at eight");
  await page.getByText(`by the clock of ${zone}`).waitFor();
  await expect.poll(() => settingsOf(reader)).toMatchObject({ mail: "daily", timezone: zone });
  // They can be turned off without one.
  await runSql(stage.stack.databaseUrl, "UPDATE users SET email_verified_at = NULL WHERE id = $1", [reader.user.id]);
  await page.reload();
  await choice.selectOption("None");
  await expect.poll(async () => (await settingsOf(reader)).mail).toBe("off");
});

test("an account without an address is told that mails need one", async () => {
  const page = await stage.visit(await stage.client.register(), { path: "/account/notifications" });
  await page.getByText("the account needs an e-mail address").waitFor();
  expect(await page.getByRole("combobox", { name: "Mails" }).isDisabled()).toBe(true);
});
