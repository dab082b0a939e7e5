import { AutomodRule } from "@parley/contracts";
import { type Page, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { chooseInRow } from "./row-menu.js";
import { type Conversation, openConversation, useOwnWebStage, write } from "./web-stage.js";

const stage = useOwnWebStage({ automods: 1 });
let talk: Conversation;
/** Ada, the owner, looks at the settings in a window of her own. */
let settings: Page;

beforeAll(async () => {
  talk = await openConversation(stage);
  settings = await stage.visit(talk.ada, { path: `/servers/${talk.server.id}/settings/automod` });
});

const rules = async () =>
  (await talk.ada.get(`/servers/${talk.server.id}/automod/rules`)).expect(200, z.array(AutomodRule));
const row = (name: string) =>
  settings.getByRole("list", { name: "Own rules" }).getByRole("listitem").filter({ hasText: name });

test("an owner makes a rule with its fields, tries a text on it, edits it, turns it off and deletes it", async () => {
  await settings.getByRole("button", { name: "Create rule" }).click();
  const dialog = settings.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Scams");
  await dialog.getByLabel("When").selectOption({ label: "Links" });
  await dialog.getByLabel("Domains").fill("evil.com\nworse.org");
  await dialog.getByLabel("Text that the author sees").fill("No such links here");
  await dialog.getByLabel("Report to the moderators").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row("Scams").getByText("Links · Block the message · Report to the moderators").waitFor();
  expect(await rules()).toMatchObject([
    {
      name: "Scams",
      trigger: { type: "links", domains: ["evil.com", "worse.org"], mode: "block_listed" },
      actions: [{ type: "block", message: "No such links here" }, { type: "flag" }],
    },
  ]);

  await settings.getByLabel("Text", { exact: true }).fill("see shop.evil.com now");
  await settings.getByRole("button", { name: "Try it" }).click();
  await settings.getByText("Matches: Scams · shop.evil.com").waitFor();
  expect(await settings.locator("mark").allTextContents()).toEqual(["shop.evil.com"]);

  await chooseInRow(row("Scams"), "Edit Scams");
  await dialog.getByLabel("When").selectOption({ label: "Words" });
  await dialog.getByLabel("Words", { exact: true }).fill("scam");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row("Scams").getByText("Words · Block the message · Report to the moderators").waitFor();
  await write(talk.bensPage, "what a SCAM");
  await talk.bensPage.getByRole("alert").filter({ hasText: "No such links here" }).waitFor();

  await row("Scams").getByRole("button", { name: "Turn off" }).click();
  await row("Scams").getByText("Off", { exact: true }).waitFor();
  expect(await rules()).toMatchObject([{ enabled: false }]);
  await chooseInRow(row("Scams"), "Delete rule");
  await dialog.getByRole("button", { name: "Delete rule" }).click();
  await waitUntil(async () => (await rules()).length === 0, { what: "the rule to be deleted" });
});
