import { randomUUID } from "node:crypto";
import { AuthResponse, FriendList, User } from "@parley/contracts";
import { joinServer, type Page, postMessage, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import {
  type Conversation,
  composer,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
  waitForCount,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const part = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
/** Opens the profile of a member and presses one of its buttons. */
async function pressInProfile(page: Page, name: string, label: string): Promise<void> {
  await page.getByRole("complementary", { name: "Members" }).getByRole("button", { name }).click();
  const card = page.getByRole("dialog", { name: "Profile" });
  await card.getByRole("button", { name: label, exact: true }).click();
  await page.keyboard.press("Escape");
  await waitUntilGone(card);
}
const folded = (page: Page) => messageWith(page, "Message from somebody you blocked.");

test("somebody is asked in their profile, sees it beside their conversations, accepts, and both have a friend", async () => {
  const { ada, ben, adasPage, bensPage } = talk;
  await pressInProfile(adasPage, ben.username, "Add as a friend");
  await adasPage.getByText(`You’ve asked ${ben.username} for friendship.`).waitFor();
  await bensPage.getByRole("link", { name: "Direct messages" }).click();
  await bensPage.getByRole("link", { name: "Friends 1 request" }).click();
  expect(await findingsInBothSchemes(bensPage)).toEqual([]);
  await button(bensPage, `Accept the request of ${ada.username}`).press("Enter");
  await part(bensPage, "Your friends").getByText(ada.username).waitFor();
  await bensPage.getByRole("link", { name: "Friends", exact: true }).waitFor();
  const { friends } = (await ada.get("/users/@me/friends")).expect(200, FriendList);
  expect(friends.map(({ id }) => id)).toEqual([ben.user.id]);
  await bensPage.goBack();
  await bensPage.goBack();
  await composer(bensPage).waitFor();
});

test("messages of somebody blocked are folded into a line that can be opened, on every device, until the block ends", async () => {
  const { ada, ben, adasPage, bensPage, path, channel } = talk;
  const onTelephone = await stage.visit(ada, { path, viewport: { width: 390, height: 800 }, isTouch: true });
  await write(bensPage, "What a nice day.");
  for (const page of [adasPage, onTelephone]) await messageWith(page, "What a nice day.").waitFor();
  await pressInProfile(adasPage, ben.username, "Block");
  for (const page of [adasPage, onTelephone]) {
    await folded(page).waitFor();
    await waitUntilGone(messageWith(page, "What a nice day."));
  }
  await write(bensPage, `@${ada.username} Look here`);
  await waitUntil(async () => (await folded(adasPage).count()) === 2, { what: "a second folded message" });
  expect(await adasPage.getByText("Look here").count()).toBe(0);
  await folded(adasPage).last().getByRole("button", { name: "Show" }).press("Enter");
  await messageWith(adasPage, "Look here").waitFor();

  await adasPage.getByRole("link", { name: "Direct messages" }).click();
  await adasPage.getByRole("link", { name: "Friends" }).click();
  await part(adasPage, "Your friends").getByText("You have no friends here yet.").waitFor();
  await button(adasPage, `Unblock ${ben.username}`).click();
  await part(adasPage, "Blocked").getByText("You haven’t blocked anyone.").waitFor();
  await messageWith(onTelephone, "What a nice day.").waitFor();
  await postMessage(ben, channel.id, "Back again.");
  await messageWith(onTelephone, "Back again.").waitFor();
});

test("a group is opened from the keyboard, named, joined, written in and left, and all see who is in it", async () => {
  const { ben, server, adasPage, bensPage } = talk;
  const [cleo, dora] = [await registerAs(stage.client, "cleo"), await registerAs(stage.client, "dora")];
  for (const person of [cleo, dora]) await joinServer(person, server.id);
  const cleosPage = await stage.visit(cleo, { path: "/dm" });
  await bensPage.getByRole("link", { name: "Direct messages" }).click();
  await adasPage.getByRole("link", { name: "Direct messages" }).click();

  await button(adasPage, "New group").press("Enter");
  const creating = adasPage.getByRole("dialog", { name: "New group" });
  expect(await button(adasPage, "Start the group").isDisabled()).toBe(true);
  for (const { username } of [ben, cleo]) {
    await creating.getByRole("searchbox", { name: "Find people" }).fill(username);
    await creating.getByRole("checkbox", { name: username }).press("Space");
  }
  await creating.getByText("2 people chosen, 9 at most.").waitFor();
  expect(await findingsInBothSchemes(adasPage)).toEqual([]);
  await button(adasPage, "Start the group").press("Enter");
  const others = [ben, cleo].map(({ username }) => username).join(", ");
  await adasPage.getByRole("heading", { name: others, exact: true }).waitFor();
  for (const page of [bensPage, cleosPage]) await page.getByRole("link", { name: /3 people/ }).click();
  await write(bensPage, "Who plays white?");
  await messageWith(cleosPage, "Who plays white?").waitFor();

  await button(adasPage, "People and settings of the group").press("Enter");
  const dialog = adasPage.getByRole("dialog", { name: "Group" });
  await dialog.getByRole("textbox", { name: "Name of the group" }).fill("Friday chess");
  await button(adasPage, "Save").press("Enter");
  for (const page of [bensPage, cleosPage])
    await page.getByRole("heading", { name: "Friday chess", exact: true }).waitFor();
  const image = { name: "group.png", mimeType: "image/png", buffer: await bensPage.screenshot() };
  await dialog.getByLabel("Picture file").setInputFiles(image);
  await button(adasPage, "Use this picture").press("Enter");
  await bensPage.locator("header img[src*='/media/']").waitFor();

  await button(adasPage, "Add people").press("Enter");
  await dialog.getByRole("searchbox", { name: "Find people" }).fill(dora.username);
  await dialog.getByRole("checkbox", { name: dora.username }).press("Space");
  await button(adasPage, "Add people").press("Enter");
  const people = dialog.getByRole("list", { name: "In this group" });
  await people.getByText(dora.username).waitFor();
  await bensPage.getByText("4 people").first().waitFor();
  expect(await findingsInBothSchemes(adasPage)).toEqual([]);
  await button(adasPage, `Remove ${cleo.username} from the group`).press("Enter");
  await waitUntilGone(cleosPage.getByRole("heading", { name: "Friday chess", exact: true }));
  await waitForCount(cleosPage.getByRole("link", { name: /Friday chess/ }), 0);

  await button(adasPage, "Leave the group").press("Enter");
  await adasPage
    .getByRole("dialog", { name: "Leave Friday chess?" })
    .getByRole("button", { name: "Leave the group" })
    .click();
  await adasPage.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await waitForCount(adasPage.getByRole("link", { name: /Friday chess/ }), 0);
  await button(bensPage, "People and settings of the group").click();
  const bens = bensPage.getByRole("dialog", { name: "Group" }).getByRole("listitem");
  await bens.filter({ hasText: "(you)" }).getByText("Owner").waitFor();
  await waitForCount(bens, 2);
  await bensPage.keyboard.press("Escape");
});

test("who registers here hears friends and people of their servers, and changes that in the settings", async () => {
  const page = await stage.visit(null, { path: "/register" });
  const username = `new_${randomUUID().slice(0, 8)}`;
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill("correct horse");
  await button(page, "Create account").click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  const { access_token, user } = (
    await stage.client.post("/auth/login", { username, password: "correct horse" })
  ).expect(200, AuthResponse);
  expect(user.dms_from).toBe("servers");
  const me = stage.client.withAuthorization(`Bearer ${access_token}`);
  const stranger = await registerAs(stage.client, "stranger");
  const write = async () => (await stranger.post("/dm-channels", { user_id: user.id })).status;
  expect(await write()).toBe(403);
  await joinServer(me, talk.server.id);
  await joinServer(stranger, talk.server.id);

  await page.goto(`${stage.stack.edgeUrl}/app/account/privacy`);
  await page.getByLabel("Who may write to you").selectOption({ label: "Friends only" });
  await waitUntil(async () => (await me.get("/users/@me")).expect(200, User).dms_from === "friends");
  expect(await write()).toBe(403);
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await page.getByLabel("Who may write to you").selectOption({ label: "Friends and people in your servers" });
  await waitUntil(async () => (await write()) === 201);
});
