import type { ButtonComponent, InteractionState } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Begun, type BotTalk, openWithBot } from "../../page-stage/bot.js";
import { messageWith } from "../../page-stage/conversation.js";
import { answer } from "../../page-stage/fake-server.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { focused, pressAt } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";

const report: ButtonComponent = {
  ...{ type: "button", style: "primary", label: "Report", custom_id: "report", url: null, disabled: false },
};
const modal: InteractionState["modal"] = {
  modal_id: "report",
  title: "Report a game",
  fields: [
    {
      ...{ id: "game", label: "Game", style: "short", required: true, value: null, placeholder: "A number" },
      ...{ min_length: 3, max_length: 5 },
    },
    {
      ...{ id: "why", label: "Why?", style: "paragraph", required: false, value: "Too slow", placeholder: null },
      ...{ min_length: null, max_length: null },
    },
  ],
};
const reportButton = () => page.getByRole("button", { name: "Report" });
const dialog = () => page.getByRole("dialog", { name: "Report a game" });
const game = () => dialog().getByRole("textbox", { name: "Game" });
const why = () => dialog().getByRole("textbox", { name: "Why? (optional)" });

/** Presses the button of a message whose answer is the form. */
async function openForm(press: () => Promise<void>): Promise<BotTalk & { pressed: Begun }> {
  const talk = await openWithBot();
  talk.post("Board", { components: [[report]] });
  const pressed = await talk.asked(press);
  talk.update(pressed, { modal });
  await shown(dialog());
  return { ...talk, pressed };
}

test("a form of a bot is filled in with the keyboard, checked at its fields, and sent", async () => {
  const talk = await openForm(() => pressAt(reportButton(), "{Enter}"));
  await focused(game());
  expect(await findingsInBothSchemes()).toEqual([]);

  await userEvent.keyboard("{Enter}");
  await shown(dialog().getByText("This is required."));
  await userEvent.keyboard("12{Enter}");
  await shown(dialog().getByRole("alert").filter({ hasText: "3 to 5 characters." }));
  await expect.element(game()).toHaveAttribute("aria-invalid", "true");
  await focused(game());
  // Characters count as the server counts them.
  await game().fill("♟️🏁🏁🏁");
  await why().fill("Two\nlines");
  const submitted = await talk.asked(() => pressAt(game(), "{Enter}"));
  expect(submitted.body).toEqual({
    interaction_id: talk.pressed.id,
    modal_id: "report",
    fields: { game: "♟️🏁🏁🏁", why: "Two\nlines" },
  });
  talk.update(submitted, { message: talk.ephemeral("Thank you.") });
  await shown(messageWith("Thank you."));
  await gone(dialog());
  await focused(reportButton());
});

test("the server's error stands at the field, and Escape sends nothing", async () => {
  const talk = await openForm(() => reportButton().click());
  await expect.element(why()).toHaveValue("Too slow");
  await game().fill("1234");
  // As if a newer server had another rule.
  const error = "fields.why: must be polite";
  talk.stage.server.on("POST /channels/:id/interactions", () =>
    answer(400, { error, message: error, code: "fields_invalid" }),
  );
  await dialog().getByRole("button", { name: "Send" }).click();
  await shown(dialog().getByRole("alert").filter({ hasText: "must be polite" }));
  await focused(why());
  const sent = talk.stage.server.requests("POST /channels/:id/interactions").length;
  await userEvent.keyboard("{Escape}");
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await gone(dialog());
  await focused(reportButton());
  await talk.stage.settled();
  expect(talk.stage.server.requests("POST /channels/:id/interactions")).toHaveLength(sent);
});

test("a form that the bot does not answer is sent again as it was", async () => {
  const talk = await openForm(() => reportButton().click());
  await game().fill("1234");
  const first = await talk.asked(() => dialog().getByRole("button", { name: "Send" }).click());
  talk.update(first, { state: "failed" });
  const failure = messageWith("chess did not answer.");
  await shown(failure.getByText("Report a game"));
  const second = await talk.asked(() => failure.getByRole("button", { name: "Try again" }).click());
  expect(second.body).toEqual(first.body);
  talk.update(second, { message: talk.ephemeral("Noted.") });
  await shown(messageWith("Noted."));
  await gone(failure);
});
