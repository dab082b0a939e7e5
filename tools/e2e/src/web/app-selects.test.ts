import { createChannel, createRole } from "@parley/testing";
import { expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import { ephemeral, openWithBot } from "./bot-stage.js";
import { messageWith, useWebStage, waitForCount } from "./web-stage.js";

const stage = useWebStage();
const select = (custom_id: string, kind: string, more: object = {}) => [
  { type: "select", kind, custom_id, placeholder: `Pick ${custom_id}`, ...more },
];
const openings = ["Italian", "Spanish", "Scotch"].map((label) => ({ label, value: label.toLowerCase() }));
const values = (interaction: { data: object }) => interaction.data;

test("several choices are sent once, when their menu is closed, and as many as the bot wants", async () => {
  const { page, asked, respond, post } = await openWithBot(stage, []);
  await post({
    content: "Choose",
    components: [select("openings", "text", { options: openings, min_values: 2, max_values: 3 })],
  });
  const trigger = messageWith(page, "Choose").getByRole("button", { name: /^Pick openings/ });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/interactions")) sent.push(request.postData() ?? "");
  });
  await trigger.press("Enter");
  await page.getByRole("menuitemcheckbox", { name: "Italian" }).press("Enter");
  await page.keyboard.press("Escape");
  await messageWith(page, "Choose").getByRole("alert").filter({ hasText: "Choose 2 to 3." }).waitFor();
  await trigger.press("Enter");
  const scotch = page.getByRole("menuitemcheckbox", { name: "Scotch" });
  await scotch.press("Enter");
  await page.getByRole("menuitemcheckbox", { name: "Scotch", checked: true }).waitFor();
  expect(await findingsInBothSchemes(page)).toEqual([]);
  const interaction = await asked(() => page.keyboard.press("Escape"));
  expect(values(interaction)).toEqual({ custom_id: "openings", values: ["italian", "scotch"] });
  await respond(interaction, ephemeral("Both are open."));
  await messageWith(page, "Both are open.").waitFor();
  // Opened and closed without a change.
  await trigger.press("Enter");
  await page.keyboard.press("Escape");
  await waitForCount(page.getByRole("menu"), 0);
  expect(sent).toHaveLength(1);
});

test("roles, channels and members are chosen by their names", async () => {
  const { page, asked, respond, post, owner, member, serverId } = await openWithBot(stage, []);
  const role = await createRole(owner, serverId, { name: "Arbiter" });
  const lounge = await createChannel(owner, serverId, { name: "lounge", type: "text" });
  await post({
    content: "Choose",
    components: [
      select("role", "role"),
      select("table", "channel"),
      select("rival", "user"),
      select("team", "user", { min_values: 2, max_values: 2 }),
    ],
  });
  const message = messageWith(page, "Choose");
  const byRole = await asked(() =>
    message.getByRole("combobox", { name: "Pick role" }).selectOption({ label: "Arbiter" }),
  );
  expect(values(byRole)).toEqual({ custom_id: "role", values: [role.id] });
  await respond(byRole, ephemeral("1"));
  const byChannel = await asked(() =>
    message.getByRole("combobox", { name: "Pick table" }).selectOption({ label: "#lounge" }),
  );
  expect(values(byChannel)).toEqual({ custom_id: "table", values: [lounge.id] });
  await respond(byChannel, ephemeral("2"));

  const rival = message.getByRole("combobox", { name: "Pick rival" });
  await rival.fill(owner.username);
  await message.getByRole("option", { name: owner.username }).waitFor();
  const byUser = await asked(() => rival.press("Enter"));
  expect(values(byUser)).toEqual({ custom_id: "rival", values: [owner.user.id] });
  await respond(byUser, ephemeral("3"));

  const team = message.getByRole("combobox", { name: "Pick team" });
  for (const { username } of [owner, member]) {
    await team.fill(username);
    await message.getByRole("option", { name: username }).waitFor();
    await team.press("Enter");
    await message.getByRole("button", { name: `Remove ${username}` }).waitFor();
  }
  expect(await findingsInBothSchemes(page)).toEqual([]);
  const byUsers = await asked(() => message.getByRole("button", { name: "Send the choice" }).click());
  expect(values(byUsers)).toEqual({ custom_id: "team", values: [owner.user.id, member.user.id] });
});
