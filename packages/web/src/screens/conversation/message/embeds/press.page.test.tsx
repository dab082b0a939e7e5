import type { ButtonComponent } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type BotTalk, openWithBot, stateOf } from "../../../../page-stage/bot.js";
import { messageWith } from "../../../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../../../page-stage/findings.js";
import { focused } from "../../../../page-stage/keys.js";
import { gone, shown } from "../../../../page-stage/seeing.js";
import { readyOf } from "../../../../page-stage/world.js";

const button = (label: string, custom_id: string): ButtonComponent => ({
  ...{ type: "button", style: "primary", label, custom_id, url: null, disabled: false },
});
const postBoard = (talk: BotTalk) =>
  talk.post("Board", { components: [[button("Draw", "draw"), button("Resign", "resign")]] });
const draw = () => page.getByRole("button", { name: "Draw" });

test("a press waits for the bot, which thinks and answers the user alone", async () => {
  const talk = await openWithBot();
  const { id } = postBoard(talk);
  const interaction = await talk.asked(() => draw().click());
  expect(interaction.body).toEqual({ message_id: id, custom_id: "draw", values: [] });
  await expect.element(draw()).toHaveAttribute("aria-busy", "true");
  await focused(draw());
  talk.update(interaction, { state: "deferred" });
  await shown(messageWith("chess is thinking …"));
  await expect.element(page.getByRole("status").filter({ hasText: "chess is thinking …" })).toBeInTheDocument();
  talk.update(interaction, { message: talk.ephemeral("The offer stands.") });

  const answer = messageWith("The offer stands.");
  await shown(answer.getByText("Only you can see this"));
  const told = page.getByRole("status").filter({ hasText: /^Only you can see this\. chess: The offer stands\.$/ });
  await expect.element(told).toBeInTheDocument();
  await gone(messageWith("chess is thinking …"));
  expect(await findingsInBothSchemes()).toEqual([]);

  await answer.getByRole("button", { name: "Dismiss" }).click();
  await gone(answer);
  await focused(page.getByCss("[data-composer]"));
});

test("components of an answer for the user alone can be pressed, and change it", async () => {
  const talk = await openWithBot();
  postBoard(talk);
  const first = await talk.asked(() => page.getByRole("button", { name: "Resign" }).click());
  const question = talk.ephemeral("Sure?", { components: [[button("Yes", "yes")]] });
  talk.update(first, { message: question });
  const second = await talk.asked(() => messageWith("Sure?").getByRole("button", { name: "Yes" }).click());
  expect(second.body).toEqual({ message_id: question.id, custom_id: "yes", values: [] });
  const { components: _components, ...resigned } = question;
  talk.update(second, { message: { ...resigned, content: "Resigned." } });
  await shown(messageWith("Resigned."));
  await gone(messageWith("Sure?"));
  talk.update(first, { message: talk.ephemeral("A later word.") });
  await shown(messageWith("A later word."));
});

test("a press that no bot answers says so, and is sent again", async () => {
  const talk = await openWithBot();
  postBoard(talk);
  const unanswered = await talk.asked(() => draw().click());
  talk.update(unanswered, { state: "failed" });
  const failure = messageWith("Board").getByText("chess did not answer.");
  await shown(failure);
  const alert = page.getByRole("alert").filter({ hasText: "chess did not answer." });
  await expect.element(alert.first()).toBeInTheDocument();

  const again = messageWith("Board").getByRole("button", { name: "Try again" });
  const interaction = await talk.asked(() => again.click());
  expect(interaction.body).toEqual(unanswered.body);
  talk.update(interaction, { message: talk.ephemeral("Offered.") });
  await shown(messageWith("Offered."));
  await gone(failure);
});

test("an answer that comes before the page knows its interaction is shown", async () => {
  const talk = await openWithBot();
  postBoard(talk);
  const held = talk.stage.server.hold("POST /channels/:id/interactions", talk.begin);
  const interaction = await talk.asked(() => draw().click());
  await held.asked;
  talk.update(interaction, { message: talk.ephemeral("Quick.") });
  held.release();
  await shown(messageWith("Quick."));
  await talk.stage.settled();
  expect(talk.stage.server.requests("GET /interactions/:id")).toEqual([]);
});

test("an answer that the page missed is read when the connection is back", async () => {
  let isLost = false;
  const talk = await openWithBot([], {
    onConnection(connection, there) {
      if (!isLost) connection.event("READY", readyOf(there));
    },
  });
  postBoard(talk);
  const interaction = await talk.asked(() => draw().click());
  talk.update(interaction, { state: "deferred" });
  await shown(messageWith("chess is thinking …"));
  isLost = true;
  talk.stage.socket.close();
  await shown(page.getByText("Connection lost. Reconnecting …"));
  await expect.poll(() => talk.stage.connections).toBe(2);
  const missed = talk.ephemeral("Missed.");
  talk.stage.server.on("GET /interactions/:id", ({ params: { id = "" } }) => stateOf({ id }, { message: missed }));
  // The connection cannot continue: it begins with READY.
  talk.stage.socket.event("READY", readyOf(talk.there));
  await shown(messageWith("Missed."));
  expect(talk.stage.server.requests("GET /interactions/:id").map(({ path }) => path)).toEqual([
    `/interactions/${interaction.id}`,
  ]);
});
