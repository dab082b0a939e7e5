import type { SelectComponent } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openWithBot } from "../../../../page-stage/bot.js";
import { messageWith } from "../../../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../../../page-stage/findings.js";
import { channel, role } from "../../../../page-stage/fixtures.js";
import { pressAt } from "../../../../page-stage/keys.js";
import { gone, shown } from "../../../../page-stage/seeing.js";

const select = (
  custom_id: string,
  kind: SelectComponent["kind"],
  changes: Partial<SelectComponent> = {},
): [SelectComponent] => [
  {
    ...{ type: "select", kind, custom_id, placeholder: `Pick ${custom_id}`, options: null },
    ...{ min_values: 1, max_values: 1 },
    ...changes,
  },
];
const openings = ["Italian", "Spanish", "Scotch"].map((label) => ({
  ...{ label, value: label.toLowerCase(), description: null },
}));
const box = (name: string, checked?: boolean) =>
  page.getByRole("menuitemcheckbox", { name, ...(checked === undefined ? {} : { checked }) });

test("several choices are sent once, when their menu is closed, and as many as the bot wants", async () => {
  const talk = await openWithBot();
  const { id } = talk.post("Choose", {
    components: [select("openings", "text", { options: openings, min_values: 2, max_values: 3 })],
  });
  const trigger = messageWith("Choose").getByRole("button", { name: /^Pick openings/ });
  await pressAt(trigger, "{Enter}");
  await pressAt(box("Italian"), "{Enter}");
  await shown(box("Italian", true));
  await userEvent.keyboard("{Escape}");
  await shown(messageWith("Choose").getByRole("alert").filter({ hasText: "Choose 2 to 3." }));
  await pressAt(trigger, "{Enter}");
  await pressAt(box("Scotch"), "{Enter}");
  await shown(box("Scotch", true));
  expect(await findingsInBothSchemes()).toEqual([]);
  const interaction = await talk.asked(() => userEvent.keyboard("{Escape}"));
  expect(interaction.body).toEqual({ message_id: id, custom_id: "openings", values: ["italian", "scotch"] });
  talk.update(interaction, { message: talk.ephemeral("Both are open.") });
  await shown(messageWith("Both are open."));
  // Opened and closed without a change.
  await pressAt(trigger, "{Enter}");
  await shown(page.getByRole("menu"));
  await userEvent.keyboard("{Escape}");
  await gone(page.getByRole("menu"));
  await talk.stage.settled();
  expect(talk.begun).toHaveLength(1);
});

test("roles, channels and members are chosen by their names", async () => {
  const talk = await openWithBot();
  const { stage, club, ada, ben } = talk;
  const arbiter = role(club.server, { name: "Arbiter" });
  const lounge = channel(club.server, "lounge", { position: 1 });
  stage.socket.event("ROLE_CREATE", arbiter);
  stage.socket.event("CHANNEL_CREATE", lounge);
  const { id } = talk.post("Choose", {
    components: [
      select("role", "role"),
      select("table", "channel"),
      select("rival", "user"),
      select("team", "user", { min_values: 2, max_values: 2 }),
    ],
  });
  const message = messageWith("Choose");
  const field = (name: string) => message.getByRole("combobox", { name: `Pick ${name}` });
  const expectValues = async (action: () => Promise<unknown>, custom_id: string, values: string[]) => {
    const interaction = await talk.asked(action);
    expect(interaction.body).toEqual({ message_id: id, custom_id, values });
    talk.update(interaction, { message: talk.ephemeral(`Chosen: ${custom_id}`) });
    await shown(messageWith(`Chosen: ${custom_id}`));
  };
  await expectValues(() => field("role").selectOptions("Arbiter"), "role", [arbiter.id]);
  await expectValues(() => field("table").selectOptions("#lounge"), "table", [lounge.id]);

  await field("rival").fill("ada");
  await shown(message.getByRole("option", { name: "ada" }));
  await expectValues(() => pressAt(field("rival"), "{Enter}"), "rival", [ada.id]);

  for (const { username } of [ada, ben]) {
    await field("team").fill(username);
    await shown(message.getByRole("option", { name: username }));
    await pressAt(field("team"), "{Enter}");
    await shown(message.getByRole("button", { name: `Remove ${username}` }));
  }
  expect(await findingsInBothSchemes()).toEqual([]);
  const send = message.getByRole("button", { name: "Send the choice" });
  await expectValues(() => send.click(), "team", [ada.id, ben.id]);
});
