import type { DetailedMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer, messageWith, sentMessage } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { pressAt } from "../../../page-stage/keys.js";
import { counted, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const bars = () => page.getByRole("region", { name: "Messages" }).getByRole("toolbar");

/** Two messages of Ada, in her browser. */
async function openTwo() {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const [one, two] = [message(general, ada, "One"), message(general, ada, "Two")];
  club.messages[general.id] = [one, two];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await sentMessage("Two");
  return { stage, two };
}

/** Goes to the newest message by keyboard. */
async function goToNewest(): Promise<void> {
  await composer().click();
  await userEvent.keyboard("{Shift>}{F6}{/Shift}");
}

test("the bar of actions is that of the message below the mouse, though another one has the focus", async () => {
  await openTwo();
  await goToNewest();
  await shown(messageWith("Two").getByRole("toolbar"));
  await messageWith("One").hover();
  await shown(messageWith("One").getByRole("toolbar"));
  await counted(bars(), 1);
});

test("the bar of actions goes when an edit by keyboard ends", async () => {
  const { stage, two } = await openTwo();
  const edited: DetailedMessage = { ...two, content: "Two and a half", edited_at: two.created_at };
  stage.server.on("PATCH /messages/:id", () => storedPart(edited));
  await goToNewest();
  await shown(bars());
  await pressAt(messageWith("Two").getByRole("button", { name: "Edit" }), "{Enter}");
  await userEvent.keyboard(" and a half{Enter}");
  await sentMessage("Two and a half");
  await expect
    .poll(() =>
      bars()
        .elements()
        .every((bar) => bar.closest("article")?.contains(document.activeElement)),
    )
    .toBe(true);
});
