import { joinServer, type Page, postMessage, type UserClient } from "@parley/testing";
import { beforeAll, test } from "vitest";
import { chooseInRow } from "./row-menu.js";
import {
  act,
  type Conversation,
  composer,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
  waitUntilGone,
} from "./web-stage.js";

// The journey of two people; each section by itself is in packages/web/src/screens/server-settings.
const stage = useWebStage();
let talk: Conversation;
/** Ada looks at the settings in a window of her own. */
let settings: Page;

beforeAll(async () => {
  talk = await openConversation(stage);
  settings = await stage.visit(talk.ada, { path: `/servers/${talk.server.id}/settings` });
});

async function openSection(title: string): Promise<void> {
  await settings
    .getByRole("navigation", { name: /^Settings of/ })
    .getByRole("link", { name: title, exact: true })
    .click();
  await settings.getByRole("heading", { name: title, level: 2 }).waitFor();
}
const row = (list: string, text: string | RegExp) =>
  settings.getByRole("list", { name: list }).getByRole("listitem").filter({ hasText: text });
const confirm = async (name: string) => {
  await settings.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await waitUntilGone(settings.getByRole("dialog"));
};

/** Somebody new in the server, with the channel open. */
async function join(name: string): Promise<{ user: UserClient; page: Page }> {
  const user = await registerAs(stage.client, name);
  await joinServer(user, talk.server.id);
  const page = await stage.visit(user, { path: talk.path });
  await composer(page).waitFor();
  return { user, page };
}

test("a role is made, given and seen by the others", async () => {
  const { ben, bensPage } = talk;
  await openSection("Roles");
  const form = settings.getByRole("region", { name: "Create a role" });
  await form.getByRole("textbox", { name: "Name" }).fill("Arbiter");
  await form.getByRole("checkbox", { name: "Pin messages and delete other people’s" }).check();
  await form.getByRole("button", { name: "Create a role" }).click();
  await row("Roles", "Arbiter").waitFor();
  await openSection("Members");
  await row("Members", ben.username).getByRole("button", { name: "Roles" }).click();
  await settings.getByRole("dialog").getByRole("checkbox", { name: "Arbiter" }).click();
  await settings.getByRole("dialog").getByRole("checkbox", { name: "Arbiter", checked: true }).waitFor();
  await settings.keyboard.press("Escape");
  await waitUntilGone(settings.getByRole("dialog"));
  await row("Members", ben.username).getByText("Arbiter").waitFor();
  await bensPage
    .getByRole("region", { name: "Members" })
    .getByRole("heading", { name: /^Arbiter/ })
    .waitFor();
  await postMessage(talk.ada, talk.channel.id, "For Ben to remove");
  const message = messageWith(bensPage, "For Ben to remove");
  await act(bensPage, "For Ben to remove", "More");
  await bensPage.getByRole("menuitem", { name: "Delete" }).click();
  await bensPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(message);
});

test("who is kicked leaves the server at once; who is banned cannot come back until the ban is lifted", async () => {
  const { user, page } = await join("fritz");
  await settings.reload();
  await chooseInRow(row("Members", user.username), "Kick");
  await confirm("Kick");
  const link = page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: talk.server.name });
  await waitUntilGone(link);
  await joinServer(user, talk.server.id);
  await page.reload();
  await link.click();
  await composer(page).waitFor();
  await settings.reload();
  await chooseInRow(row("Members", user.username), "Ban");
  await settings.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" }).fill("Came back loud");
  await confirm("Ban");
  await waitUntilGone(link);
  await page.getByRole("link", { name: "Discover servers" }).click();
  const card = page.getByRole("main").getByRole("listitem").filter({ hasText: talk.server.name });
  await card.getByRole("button", { name: "Join" }).click();
  await card.getByRole("alert").waitFor();
  await openSection("Bans");
  await row("Bans", user.username).getByText("Came back loud").waitFor();
  await row("Bans", user.username).getByRole("button", { name: "Lift ban" }).click();
  await settings.getByText("Nobody is banned.").waitFor();
  await card.getByRole("button", { name: "Join" }).click();
  await composer(page).waitFor();
  await page.context().close();
  await openSection("Audit log");
  await settings.getByRole("combobox", { name: "Action" }).selectOption("Member banned");
  await row("Audit log", user.username).filter({ hasText: "Came back loud" }).waitFor();
});
