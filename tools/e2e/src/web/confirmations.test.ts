import { createServerWithMembers, type Page, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { registerAdmin } from "../api/admin-stage.js";
import { pngPixel } from "../api/sample-files.js";
import { chooseInRow, menuOf } from "./row-menu.js";
import { channelPath, composer, registerAs, useWebStage, waitForCount, waitUntilGone } from "./web-stage.js";

// What cannot be taken back is asked about first, and whoever answers no goes on where they were.

const stage = useWebStage();

const row = (page: Page, text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });
const inDialog = (page: Page, button: string) =>
  page.getByRole("dialog").getByRole("button", { name: button, exact: true });
const expectFocus = (page: Page, name: string) =>
  waitUntil(
    () =>
      page.evaluate<boolean>(
        `[document.activeElement.textContent, document.activeElement.ariaLabel].includes(${JSON.stringify(name)})`,
      ),
    { what: `the focus on “${name}”` },
  );

test("an invite and an emoji go after a question, and the focus stays with who answers no", async () => {
  const { owner, server } = await createServerWithMembers(stage.client, 0);
  const settings = `/servers/${server.id}/settings`;
  expect((await owner.post(`/servers/${server.id}/invites`, {})).status).toBe(201);
  const page = await stage.visit(owner, { path: `${settings}/invites` });
  const menu = menuOf(row(page, "/app/invite/"));
  const name = (await menu.getAttribute("aria-label")) ?? "";
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Revoke" }).press("Enter");
  await page.getByRole("dialog", { name: /^Revoke the invite / }).waitFor();
  await page.keyboard.press("Escape");
  await waitForCount(page.getByRole("dialog"), 0);
  await expectFocus(page, name);
  await chooseInRow(row(page, "/app/invite/"), "Revoke");
  await inDialog(page, "Revoke").click();
  await page.getByText("There are no invites yet.").waitFor();

  await page.getByRole("link", { name: "Emoji" }).click();
  const form = page.getByRole("region", { name: "Add an emoji" });
  await form.getByRole("textbox", { name: "Name" }).fill("rook");
  await form.locator("input[type=file]").setInputFiles({ name: "rook.png", mimeType: "image/png", buffer: pngPixel });
  await form.getByRole("button", { name: "Add an emoji" }).click();
  await chooseInRow(row(page, ":rook:"), "Delete");
  await page.getByRole("dialog", { name: "Delete :rook:?" }).waitFor();
  await inDialog(page, "Cancel").click();
  await expectFocus(page, "More options for :rook:");
  await chooseInRow(row(page, ":rook:"), "Delete");
  await inDialog(page, "Delete").click();
  await waitUntilGone(row(page, ":rook:"));
  await page.context().close();
});

test("a retention that deletes messages is asked about, a longer one is not", async () => {
  const { owner, server } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, { path: `/servers/${server.id}/settings/overview` });
  const panel = page.getByRole("region", { name: "Retention" });
  const days = panel.getByRole("spinbutton");
  const save = panel.getByRole("button", { name: "Save" });
  const stored = async () => (await owner.get(`/servers/${server.id}/retention`)).body;
  await days.fill("30");
  await save.click();
  await page.getByRole("dialog", { name: "Delete everything older than 30 days?" }).waitFor();
  await inDialog(page, "Cancel").click();
  await waitForCount(page.getByRole("dialog"), 0);
  expect(await stored()).toMatchObject({ retention_days: null });
  await save.click();
  await inDialog(page, "Delete older messages").click();
  await panel.getByText("Saved.").waitFor();
  expect(await stored()).toMatchObject({ retention_days: 30 });
  await days.fill("60");
  await save.click();
  await panel.getByText("Saved.").waitFor();
  expect(await stored()).toMatchObject({ retention_days: 60 });
  await page.context().close();
});

test("the rights of administrators are given and taken after a question that says what they are", async () => {
  const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
  const uma = await registerAs(stage.client, "uma");
  const page = await stage.visit(admin, { path: "/admin/users" });
  await chooseInRow(row(page, uma.username), "Make administrator");
  await page
    .getByRole("dialog")
    .getByText(/Administrators can see, disable and delete all accounts/)
    .waitFor();
  await inDialog(page, "Make administrator").click();
  await row(page, uma.username).getByText("Administrator", { exact: true }).waitFor();
  await chooseInRow(row(page, uma.username), "Remove as administrator");
  await inDialog(page, "Remove as administrator").click();
  await menuOf(row(page, uma.username)).click();
  await page.getByRole("menuitem", { name: "Make administrator" }).waitFor();
  await page.context().close();
});

test("an administrator is not offered what the server refuses to do to their own account", async () => {
  const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
  const page = await stage.visit(admin, { path: "/admin/users" });
  await row(page, admin.username).getByText("You", { exact: true }).waitFor();
  // It has no address for a reset token either, so that its menu would be empty.
  await waitForCount(menuOf(row(page, admin.username)), 0);
  await page.context().close();
});

test("a dialog that a menu has opened gives the focus back to the button of the menu", async () => {
  const { owner, server, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  await page.getByRole("button", { name: `${server.name}: menu` }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Invite people" }).press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await waitForCount(page.getByRole("dialog"), 0);
  await expectFocus(page, `${server.name}: menu`);
  await page.context().close();
});
