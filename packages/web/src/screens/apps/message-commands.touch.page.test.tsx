import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { command, openWithBot } from "../../page-stage/bot.js";
import { sentMessage } from "../../page-stage/conversation.js";
import { message } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";

test("a touched message offers the commands about it in its sheet", async () => {
  const flag = command("flag", "Flags", { context: "message" });
  const talk = await openWithBot([flag]);
  const mate = message(talk.general, talk.ada, "Mate in two");
  talk.stage.arrives(mate);
  const row = await sentMessage("Mate in two");
  const touch = { pointerType: "touch", isPrimary: true, bubbles: true };
  row.element().dispatchEvent(new PointerEvent("pointerdown", touch));
  const sheet = page.getByRole("dialog", { name: "Message actions" });
  const entry = sheet.getByRole("button", { name: "flag – Chess" });
  await shown(entry);
  document.body.dispatchEvent(new PointerEvent("pointerup", touch));
  // The click that a browser reports when the finger is lifted is swallowed.
  entry.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const interaction = await talk.asked(() => entry.click());
  expect(talk.begun).toHaveLength(1);
  expect(interaction.body).toEqual({
    ...{ bot_user_id: talk.bot.id, command_id: flag.id, options: {}, target_id: mate.id },
  });
  await gone(sheet);
});
