import type { RawServer } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSection, openSettings } from "../../page-stage/settings.js";

const field = () => page.getByRole("main").getByRole("textbox", { name: "Name", exact: true });
const bar = () => page.getByText("You have unsaved changes.");
const question = () => page.getByRole("dialog", { name: "Leave without saving?" });
const link = (name: string) =>
  page.getByRole("navigation", { name: /^Settings of/ }).getByRole("link", { name, exact: true });

async function openTyped() {
  const stage = await openSettings("overview", (server) => {
    server.on("GET /servers/:id/retention", () => ({ retention_days: null, instance_retention_days: null }));
  });
  await field().fill("Go club");
  await shown(bar());
  return stage;
}

test.each([
  ["another section", () => link("Roles").click()],
  ["Escape", () => userEvent.keyboard("{Escape}")],
  ["the cross", () => page.getByRole("button", { name: "Close" }).click()],
  ["the browser’s way back", async () => history.back()],
])("%s asks before unsaved changes are lost, and keeps them", async (way, leave) => {
  const stage = await openTyped();
  if (way.startsWith("the browser")) {
    // There is an address to go back to.
    await page.getByRole("button", { name: "Discard" }).click();
    await gone(bar());
    await openSection("Emoji");
    await openSection("Overview");
    await field().fill("Go club");
    await shown(bar());
  }
  await leave();
  await shown(question());
  await question().getByRole("button", { name: "Cancel" }).click();
  await gone(question());
  await expect.element(field()).toHaveValue("Go club");
  expect(location.pathname).toBe(`/app/servers/${stage.club.server.id}/settings/overview`);
  await leave();
  await question().getByRole("button", { name: "Leave" }).click();
  await expect.poll(() => location.pathname).not.toContain("/settings/overview");
});

test("the bar goes when the changes are saved, discarded, or typed back", async () => {
  const { server, socket, club } = await openTyped();
  server.on<Partial<RawServer>>("PATCH /servers/:id", ({ body: { name = "" } }) => {
    club.server.name = name.trim();
    const { member_count: _count, ...raw } = club.server;
    socket.event("SERVER_UPDATE", raw);
    return club.server;
  });
  await field().fill("Chess club");
  await gone(bar());
  await field().fill("Go club ");
  await shown(bar());
  await page.getByRole("region", { name: "Name and access" }).getByRole("button", { name: "Save" }).click();
  await gone(bar());
  expect(server.requests("PATCH /servers/:id")).toHaveLength(1);
  await page.getByRole("checkbox", { name: "Anyone can find and join it" }).first().click();
  await shown(bar());
  await page.getByRole("button", { name: "Discard" }).click();
  await gone(bar());
  await link("Roles").click();
  await shown(page.getByRole("heading", { name: "Roles", level: 2 }));
});
