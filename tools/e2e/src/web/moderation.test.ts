import { createServerWithMembers, type Page, postMessage, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { absentBeside } from "./presence.js";
import {
  actInMenu,
  channelPath,
  composer,
  messageWith,
  useWebStage,
  waitForCount,
  waitUntilGone,
} from "./web-stage.js";

// Moderators review reports by keys alone, and nobody else sees the reports.

const stage = useWebStage();
let ada: UserClient;
let ben: UserClient;
let cid: UserClient;
let channel: { server_id: string; id: string };
let cidsPage: Page;

beforeAll(async () => {
  const fixture = await createServerWithMembers(stage.client, 2);
  [ada, ben, cid] = [fixture.owner, ...fixture.members];
  channel = { server_id: fixture.server.id, id: fixture.channel.id };
  await postMessage(ben, channel.id, "something rude");
  cidsPage = await stage.visit(cid, { path: channelPath(channel) });
  await composer(cidsPage).waitFor();
});

const dialog = (page: Page) => page.getByRole("dialog");

async function fillReport(page: Page, kind: string, reason: string): Promise<void> {
  await dialog(page).getByRole("combobox", { name: "What is it?" }).selectOption({ label: kind });
  await dialog(page).getByRole("textbox", { name: "What’s wrong with it?" }).fill(reason);
  await dialog(page).getByRole("button", { name: "Report", exact: true }).click();
  await page.getByText("Thank you. It was reported.").waitFor();
  await waitUntilGone(dialog(page));
}

test("a reported message appears to a reviewer, who closes it by keys, with its author's history at hand", async () => {
  const settings = `/servers/${channel.server_id}/settings`;
  const page = await stage.visit(ada, { path: `${settings}/moderation` });
  await page.getByText("No reports here.").waitFor();
  const report = page
    .getByRole("list", { name: "Reports" })
    .getByRole("listitem")
    .filter({ hasText: "something rude" });

  await actInMenu(cidsPage, "something rude", "Report");
  await fillReport(cidsPage, "Harassment", "it hurts");
  await report
    .filter({ hasText: "it hurts" })
    .filter({ hasText: `Reported by ${cid.username}` })
    .waitFor();
  await page.getByText("Close or open again").waitFor();

  await page.keyboard.press("j");
  await expect.poll(() => report.getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("h");
  await dialog(page).getByRole("textbox", { name: "Add a note" }).fill("was warned before");
  await dialog(page).getByRole("button", { name: "Add note" }).click();
  const history = dialog(page).getByRole("list", { name: "History" }).getByRole("listitem");
  await history.filter({ hasText: "was warned before" }).waitFor();
  await history.filter({ hasText: "it hurts" }).waitFor();
  await page.keyboard.press("Escape");
  await waitUntilGone(dialog(page));

  await page.keyboard.press("c");
  await dialog(page).getByRole("textbox", { name: "Note" }).fill("talked to them");
  await dialog(page).getByRole("button", { name: "Close", exact: true }).last().click();
  await waitForCount(report, 0);
  await page.getByRole("combobox", { name: "Show" }).selectOption("closed");
  await report.filter({ hasText: "talked to them" }).waitFor();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await messageWith(page, "something rude").waitFor();

  const members = await stage.visit(ben, { path: `${settings}/moderation` });
  const overview = members.getByRole("heading", { name: "Overview" });
  await absentBeside(members.getByRole("link", { name: "Moderation" }), overview);
});
