import type { Page } from "@parley/testing";
import { expect, test } from "vitest";
import {
  composer,
  messageWith,
  openConversation,
  useWebStage,
  waitForCount,
  waitForValue,
  write,
} from "./web-stage.js";

const stage = useWebStage();

/** Fills in the dialog that changes a nickname. */
async function rename(page: Page, title: string, { from, to }: { from: string; to: string }): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  const field = dialog.getByRole("textbox", { name: "Nickname" });
  await waitForValue(field, from);
  await field.fill(to);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
}

test("a nickname stands for its member wherever the server names them, and a moderator changes it", async () => {
  const { ada, ben, server, adasPage, bensPage } = await openConversation(stage);
  await write(bensPage, "Good evening");
  const author = (page: Page, name: string) =>
    messageWith(page, "Good evening").getByRole("button", { name, exact: true });
  await author(adasPage, ben.username).waitFor();

  await bensPage.getByRole("button", { name: `${server.name}: menu` }).click();
  await bensPage.getByRole("menuitem", { name: "Change nickname" }).click();
  await rename(bensPage, "Change nickname", { from: "", to: "The rook" });
  for (const page of [adasPage, bensPage]) await author(page, "The rook").waitFor();
  const members = adasPage.getByRole("region", { name: "Members" });
  await members.getByRole("button", { name: /^The rook/ }).waitFor();
  await waitForCount(members.getByText(ben.username), 0);
  await composer(bensPage).pressSequentially("hm");
  await adasPage.getByText("The rook is typing …").waitFor();
  await composer(bensPage).fill("");
  await write(adasPage, `Welcome, @${ben.username}!`);
  await messageWith(bensPage, "Welcome").getByRole("button", { name: "@The rook", exact: true }).click();
  const card = bensPage.getByRole("dialog", { name: "Profile" });
  await card.getByRole("heading", { name: "The rook" }).waitFor();
  await card.getByText(`@${ben.username}`, { exact: true }).waitFor();
  await card.getByRole("button", { name: "Change nickname" }).waitFor();
  await bensPage.keyboard.press("Escape");

  await author(adasPage, "The rook").click({ button: "right" });
  await adasPage.getByRole("menuitem", { name: "Change nickname" }).click();
  await rename(adasPage, `Nickname of ${ben.username}`, { from: "The rook", to: " " });
  for (const page of [adasPage, bensPage]) await author(page, ben.username).waitFor();
  // The owner's nickname is the owner's.
  await messageWith(bensPage, "Welcome")
    .getByRole("button", { name: ada.username, exact: true })
    .click({ button: "right" });
  await bensPage.getByRole("menuitem", { name: "Mention" }).waitFor();
  expect(await bensPage.getByRole("menuitem").allTextContents()).not.toContain("Change nickname");
});
