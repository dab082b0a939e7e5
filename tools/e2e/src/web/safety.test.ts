import { joinServer, type Page } from "@parley/testing";
import { expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import {
  composer,
  messageWith,
  openConversation,
  registerAs,
  sentMessage,
  useWebStage,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const confirm = async (page: Page, name: string) => {
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await waitUntilGone(page.getByRole("dialog"));
};

test("a newcomer reads the rules in place of the composer, and writes once they have accepted them; members of before are not asked", async () => {
  const { ada, bensPage, server, path } = await openConversation(stage);
  const settings = await stage.visit(ada, { path: `/servers/${server.id}/settings/safety` });
  await panel(settings, "Raid").getByText("The server isn’t under raid.").waitFor();
  expect(await findingsInBothSchemes(settings)).toEqual([]);
  await panel(settings, "Rules").getByRole("textbox", { name: "Text of the rules" }).fill("Be **kind**.");
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await settings.getByText("Saved.").waitFor();

  const cyd = await registerAs(stage.client, "cyd");
  await joinServer(cyd, server.id);
  const page = await stage.visit(cyd, { path });
  const rules = panel(page, "Rules of this server");
  await rules.getByText("kind", { exact: true }).waitFor();
  expect(await composer(page).count()).toBe(0);
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await rules.getByRole("button", { name: "Accept the rules" }).click();
  await waitUntilGone(rules);
  await write(page, "I accept");
  await sentMessage(page, "I accept");
  await messageWith(bensPage, "I accept").waitFor();
  expect(await panel(bensPage, "Rules of this server").count()).toBe(0);

  // Open pages follow a change that asks everybody again.
  await panel(settings, "Rules").getByRole("textbox", { name: "Text of the rules" }).fill("Be kinder.");
  await panel(settings, "Rules").getByRole("checkbox").check();
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  for (const open of [page, bensPage]) await panel(open, "Rules of this server").getByText("Be kinder.").waitFor();
});

test("a raid is begun and ended in the settings; those who manage raids see it, newcomers read why they cannot write, and who joined is banned", async () => {
  const { ada, adasPage, bensPage, server, ben } = await openConversation(stage);
  const settings = await stage.visit(ada, { path: `/servers/${server.id}/settings/safety` });
  const raid = panel(settings, "Raid");
  await raid.getByText("The server isn’t under raid.").waitFor();
  await raid.getByRole("spinbutton", { name: "For (minutes)" }).fill("90");
  await raid.getByRole("button", { name: "Close to new accounts" }).click();
  await raid.getByText(/^The server is under raid until /).waitFor();
  const banner = (page: Page) => page.getByText(/^This server is under raid until /);
  await banner(adasPage).waitFor();
  await write(bensPage, "Hello");
  await messageWith(bensPage, "Hello")
    .getByText(/New members of this server can’t write yet/)
    .waitFor();
  expect(await banner(bensPage).count()).toBe(0);

  await raid.getByText("1 account joined during the latest raid.").waitFor();
  await raid.getByRole("button", { name: "End the raid" }).click();
  await waitUntilGone(banner(adasPage));
  await write(bensPage, "Hello again");
  await sentMessage(bensPage, "Hello again");
  await raid.getByRole("button", { name: "Ban who joined" }).click();
  await confirm(settings, "Ban who joined");
  await raid.getByText("1 banned.").waitFor();
  await bensPage
    .getByText(/banned/i)
    .first()
    .waitFor();
  expect((await ben.get(`/servers/${server.id}`)).status).toBe(404);
});
