import type { Raid, Safety } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { confirmWith } from "../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { newId } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSettings } from "../../page-stage/settings.js";

const panel = (name: string) => page.getByRole("region", { name, exact: true });
const until = "2099-01-01T00:00:00.000Z";

const usual: Safety = {
  min_account_age_minutes: 0,
  min_membership_minutes: 0,
  require_verified_email: false,
  rules: null,
  rules_for_all: false,
  raid_shield: false,
  raid_joins_per_minute: 60,
  raid_new_accounts_hours: 24,
  raid_minutes: 30,
};

/** The settings of a server, and whether it is under raid. */
async function openSafety() {
  const raid: Raid = { until: null, joined: 0 };
  const settings = await openSettings("safety", (server) => {
    server.on("GET /servers/:id/safety", () => usual);
    server.on("GET /servers/:id/raid", () => raid);
  });
  await shown(panel("Raid").getByText("The server isn’t under raid."));
  return { settings, raid };
}

test("rules are written in the settings, and everybody is asked for them again", async () => {
  const { settings } = await openSafety();
  const { server } = settings;
  server.on<Partial<Safety>>("PATCH /servers/:id/safety", ({ body }) => ({ ...usual, ...body }));
  expect(await findingsInBothSchemes()).toEqual([]);
  const save = page.getByRole("button", { name: "Save", exact: true });
  await panel("Rules").getByRole("textbox", { name: "Text of the rules" }).fill("Be **kind**.");
  await save.click();
  await shown(page.getByText("Saved."));
  expect(server.requests("PATCH /servers/:id/safety").at(-1)?.body).toMatchObject({
    rules: "Be **kind**.",
    rules_for_all: false,
  });
  await panel("Rules").getByRole("textbox", { name: "Text of the rules" }).fill("Be kinder.");
  await panel("Rules").getByRole("checkbox").click();
  await save.click();
  await expect
    .poll(() => server.requests("PATCH /servers/:id/safety").at(-1)?.body)
    .toMatchObject({ rules: "Be kinder.", rules_for_all: true });
});

test("a raid is begun and ended in the settings, whose server says so, and who joined is banned", async () => {
  const { settings, raid } = await openSafety();
  const { server, socket, ben, club } = settings;
  const about = { server_id: club.server.id, until };
  server.on("PUT /servers/:id/raid", () => {
    Object.assign(raid, { until, joined: 1 });
    socket.event("SERVER_RAID_START", about);
    return { until };
  });
  server.on("DELETE /servers/:id/raid", () => {
    raid.until = null;
    socket.event("SERVER_RAID_END", about);
  });
  server.on("POST /servers/:id/raid/ban", () => ({ banned: [ben.id], failed: [] }));
  await panel("Raid").getByRole("spinbutton", { name: "For (minutes)" }).fill("90");
  await panel("Raid").getByRole("button", { name: "Close to new accounts" }).click();
  await shown(panel("Raid").getByText(/^The server is under raid until .*2099/));
  expect(server.requests("PUT /servers/:id/raid").map(({ body }) => body)).toEqual([{ minutes: 90 }]);
  await shown(panel("Raid").getByText("1 account joined during the latest raid."));
  await panel("Raid").getByRole("button", { name: "End the raid" }).click();
  await shown(panel("Raid").getByText("The server isn’t under raid."));
  expect(server.requests("DELETE /servers/:id/raid")).toHaveLength(1);
  await panel("Raid").getByRole("button", { name: "Ban who joined" }).click();
  expect(server.requests("POST /servers/:id/raid/ban")).toEqual([]);
  await confirmWith("Ban who joined");
  await shown(panel("Raid").getByText("1 banned."));
  expect(server.requests("POST /servers/:id/raid/ban")).toHaveLength(1);
});

test("a raid that somebody else begins and ends is shown in the settings", async () => {
  const { settings, raid } = await openSafety();
  const about = { server_id: settings.club.server.id, until };
  raid.until = until;
  settings.socket.event("SERVER_RAID_START", { ...about, server_id: newId() });
  settings.socket.event("SERVER_RAID_START", about);
  const under = panel("Raid").getByText(/^The server is under raid until .*2099/);
  await shown(under);
  raid.until = null;
  settings.socket.event("SERVER_RAID_END", about);
  await gone(under);
});
