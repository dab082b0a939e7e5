import { permissionBits } from "@parley/contracts";
import { assignRole, createChannel, createRole, joinServer, type Page, postMessage } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import {
  type Conversation,
  channelPath,
  composer,
  copyWith,
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

// What can be done with a message, a member, a channel or a server is offered on the thing itself.

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

type Locator = ReturnType<typeof messageWith>;
const menu = (page: Page) => page.getByRole("menu");
const entry = (page: Page, name: string) => menu(page).getByRole("menuitem", { name, exact: true });
const channels = (page: Page) => page.getByRole("navigation", { name: "Channels" });
const focused = (locator: Locator) => locator.and(locator.page().locator(":focus")).waitFor();

/** The entries of the context menu of an element. */
async function entriesOf(element: Locator): Promise<string[]> {
  const page = element.page();
  await element.click({ button: "right" });
  await menu(page).waitFor();
  const entries = await menu(page).getByRole("menuitem").allTextContents();
  await page.keyboard.press("Escape");
  await waitUntilGone(menu(page));
  return entries;
}

test("a right click on a message offers what one may do with it, and no more", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "Who plays white?");
  await sentMessage(adasPage, "Who plays white?");
  const forAll = ["Add a reaction", "Reply", "Reply in a thread", "Copy link", "Copy text", "Quote"];
  expect(await entriesOf(messageWith(bensPage, "Who plays white?"))).toEqual([...forAll, "Report"]);
  await write(bensPage, "I do");
  await sentMessage(bensPage, "I do");
  expect(await entriesOf(messageWith(bensPage, "I do"))).toEqual([...forAll.toSpliced(3, 0, "Edit"), "Delete"]);
  expect(await entriesOf(messageWith(adasPage, "I do"))).toEqual([...forAll, "Pin", "Select", "Report", "Delete"]);
  await messageWith(bensPage, "Who plays white?").click({ button: "right" });
  await entry(bensPage, "Add a reaction").click();
  await bensPage.getByRole("searchbox", { name: "Find an emoji" }).fill("heart");
  await bensPage.getByRole("dialog").getByRole("button", { name: "red heart", exact: true }).first().click();
  await messageWith(adasPage, "Who plays white?")
    .getByRole("button", { name: /1 reaction$/ })
    .waitFor();
});

test("the browser's own menu stays with Shift, on a link and on a selected text", async () => {
  const { adasPage: page } = talk;
  await write(page, "See https://example.org about it");
  const message = await sentMessage(page, "See https://example.org about it");
  // After the page's own listeners, which may prevent it.
  await page.evaluate(
    "addEventListener('contextmenu', (event) => { globalThis.isPrevented = event.defaultPrevented; })",
  );
  const isPrevented = () => page.evaluate<boolean>("globalThis.isPrevented");
  const text = message.getByText("about it");
  await text.click({ button: "right", position: { x: 4, y: 4 } });
  expect(await isPrevented()).toBe(true);
  await page.keyboard.press("Escape");
  await waitUntilGone(menu(page));
  await text.click({ button: "right", modifiers: ["Shift"], position: { x: 4, y: 4 } });
  expect(await isPrevented()).toBe(false);
  await message.getByRole("link").first().click({ button: "right" });
  expect(await isPrevented()).toBe(false);
  await composer(page).click({ button: "right" });
  expect(await isPrevented()).toBe(false);
  await text.selectText();
  await text.click({ button: "right", position: { x: 4, y: 4 } });
  expect(await isPrevented()).toBe(false);
  await waitForCount(menu(page), 0);
  await page.evaluate("getSelection().removeAllRanges()");
});

test("by keyboard a message is deleted with its menu, and Enter confirms", async () => {
  const { adasPage: page } = talk;
  await write(page, "A slip of the hand");
  const message = await sentMessage(page, "A slip of the hand");
  await message.focus();
  await page.keyboard.press("Shift+F10");
  await menu(page).waitFor();
  await page.keyboard.press("Escape");
  await waitUntilGone(menu(page));
  await focused(message);
  await page.keyboard.press("ContextMenu");
  await menu(page).waitFor();
  await page.keyboard.press("End");
  await focused(entry(page, "Delete"));
  await page.keyboard.press("Enter");
  await focused(page.getByRole("dialog", { name: "Delete this message?" }).getByRole("button", { name: "Delete" }));
  await page.keyboard.press("Enter");
  await waitUntilGone(message);
});

test("a moderator acts on a name, as far as their rank goes", async () => {
  const { ada, ben, server, channel, bensPage } = talk;
  const { MANAGE_ROLES, KICK_MEMBERS, MUTE_MEMBERS } = permissionBits;
  const low = await createRole(ada, server.id, { name: "Player", position: 1 });
  const rank = await createRole(ada, server.id, {
    name: "Arbiter",
    position: 3,
    permissions: MANAGE_ROLES | KICK_MEMBERS | MUTE_MEMBERS,
  });
  await createRole(ada, server.id, { name: "Board", position: 5 });
  await assignRole(ada, rank, ben);
  const cleo = await registerAs(stage.client, "cleo");
  await joinServer(cleo, server.id);
  await postMessage(cleo, channel.id, "I am new");
  const author = messageWith(bensPage, "I am new").getByRole("button", { name: cleo.username });
  await author.click({ button: "right" });
  await waitForCount(menu(bensPage).getByRole("menuitem", { name: "Ban" }), 0);
  await entry(bensPage, "Roles").click();
  const box = bensPage.getByRole("menuitemcheckbox");
  await box.filter({ hasText: low.name }).waitFor();
  expect(await box.allTextContents()).toEqual([low.name]);
  await box.click();
  await bensPage.getByRole("menuitemcheckbox", { name: low.name, checked: true }).waitFor();
  await bensPage.keyboard.press("Escape");
  await waitForCount(menu(bensPage), 0);
  // The owner cannot be moderated, and their card says so by leaving it out.
  await messageWith(bensPage, "Who plays white?").getByRole("button", { name: ada.username }).click();
  const card = bensPage.getByRole("dialog", { name: "Profile" });
  await card.getByRole("button", { name: "Message" }).waitFor();
  await waitForCount(card.getByRole("button", { name: "Kick" }), 0);
  await bensPage.keyboard.press("Escape");
  await waitUntilGone(card);
  // The card of somebody else has it, with the question for the reason.
  await author.click();
  await card.getByText(low.name).waitFor();
  await card.getByRole("button", { name: "Time out" }).click();
  const dialog = bensPage.getByRole("dialog", { name: `Time ${cleo.username} out?` });
  await dialog.getByRole("textbox", { name: "Reason (optional)" }).fill("Too loud");
  await dialog.getByRole("button", { name: "Time out" }).click();
  await waitUntilGone(dialog);
  await author.click({ button: "right" });
  await entry(bensPage, "End the timeout").waitFor();
  await entry(bensPage, "Kick").click();
  await bensPage.getByRole("dialog").getByRole("button", { name: "Kick" }).click();
  await waitUntilGone(bensPage.getByRole("complementary", { name: "Members" }).getByText(cleo.username));
});

test("somebody is mentioned from the list of members", async () => {
  const { ada, bensPage: page } = talk;
  await composer(page).fill("Ask ");
  const member = page.getByRole("complementary", { name: "Members" }).getByRole("button", { name: ada.username });
  await member.click({ button: "right" });
  await entry(page, "Mention").click();
  await waitForValue(composer(page), `Ask @${ada.username} `);
  await focused(composer(page));
  await composer(page).fill("");
});

test("channels, categories and servers have their menus", async () => {
  const { ada, server, adasPage, bensPage } = talk;
  const hall = await createChannel(ada, server.id, { name: "hall", category: "Rooms" });
  await Promise.all([adasPage.reload(), bensPage.reload()]);
  const link = (page: Page, name = "hall") => channels(page).getByRole("link", { name });
  await composer(bensPage).waitFor();
  expect(await entriesOf(link(bensPage))).toEqual(["Notifications", "Copy link"]);
  await postMessage(ada, hall.id, "Unread");
  await link(bensPage).filter({ hasText: "unread messages" }).waitFor();
  const category = bensPage.getByRole("button", { name: "Collapse Rooms" });
  expect(await entriesOf(category)).toEqual(["Mark as read", "Collapse"]);
  await link(bensPage).click({ button: "right" });
  await entry(bensPage, "Mark as read").click();
  await waitForCount(link(bensPage).filter({ hasText: "unread messages" }), 0);
  await link(bensPage).click({ button: "right" });
  expect(await copyWith(entry(bensPage, "Copy link"))).toBe(`${stage.stack.edgeUrl}/app${channelPath(hall)}`);
  const rail = (page: Page) =>
    page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: server.name });
  await postMessage(ada, hall.id, "Unread again");
  await rail(bensPage)
    .and(bensPage.getByRole("link", { name: /unread/ }))
    .waitFor();
  await rail(bensPage).click({ button: "right" });
  await entry(bensPage, "Mark as read").click();
  await waitForCount(bensPage.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: /unread/ }), 0);
  expect(await entriesOf(rail(bensPage))).toEqual([
    "Notifications",
    "Change nickname",
    "Server settings",
    "Report",
    "Leave the server",
  ]);
  // The owner changes the channel from its menu.
  await link(adasPage).click({ button: "right" });
  await entry(adasPage, "Edit channel").click();
  const form = adasPage.getByRole("dialog", { name: "Edit hall" });
  await form.getByRole("textbox", { name: "Name" }).fill("great-hall");
  await form.getByRole("button", { name: "Save" }).click();
  await link(adasPage, "great-hall").click({ button: "right" });
  await entry(adasPage, "Delete channel").click();
  await adasPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(link(adasPage, "great-hall"));
});
