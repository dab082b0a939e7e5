import { type Page, postMessage } from "@parley/testing";
import { beforeAll, test } from "vitest";
import { act, type Conversation, messageWith, openConversation, useWebStage, waitUntilGone } from "./web-stage.js";

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
