import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import { ephemeral, openWithBot } from "./bot-stage.js";
import { messageWith, useWebStage, waitUntilGone } from "./web-stage.js";

// The journey of a bot, its user and somebody else, each on a connection of their own; the rest is in page tests.

const stage = useWebStage();
const button = (label: string, custom_id: string) => ({ type: "button", style: "primary", label, custom_id });
const board = { content: "Board", components: [[button("Draw", "draw"), button("Resign", "resign")]] };

test("a press waits for the bot, which thinks and answers the user alone", async () => {
  const { page, asked, respond, post, owner, path } = await openWithBot(stage, []);
  const othersPage = await stage.visit(owner, { path });
  await post(board);
  await messageWith(othersPage, "Board").waitFor();
  const draw = page.getByRole("button", { name: "Draw" });

  const interaction = await asked(() => draw.click());
  expect(interaction).toMatchObject({ type: "component", data: { custom_id: "draw", values: [] } });
  await waitUntil(async () => (await draw.getAttribute("aria-busy")) === "true");
  await expect.poll(() => draw.evaluate("document.activeElement.textContent")).toBe("Draw");
  await respond(interaction, { type: "deferred", data: { ephemeral: true } });
  await messageWith(page, "chess is thinking …").waitFor();
  await page.getByRole("status").filter({ hasText: "chess is thinking …" }).waitFor({ state: "attached" });
  await respond(interaction, ephemeral("The offer stands."));

  const answer = messageWith(page, "The offer stands.");
  await answer.getByText("Only you can see this").waitFor();
  const told = /^Only you can see this\. chess: The offer stands\.$/;
  await page.getByRole("status").filter({ hasText: told }).waitFor({ state: "attached" });
  await waitUntilGone(messageWith(page, "chess is thinking …"));
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await post({ content: "After it" });
  await messageWith(othersPage, "After it").waitFor();
  await expect.poll(() => messageWith(othersPage, "The offer stands.").count()).toBe(0);

  await answer.getByRole("button", { name: "Dismiss" }).click();
  await waitUntilGone(answer);
  await expect.poll(() => page.evaluate("document.activeElement.matches('[data-composer]')")).toBe(true);
});
