import { expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import { ephemeral, openWithBot } from "./bot-stage.js";
import { messageWith, useWebStage, waitForValue, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();
const board = {
  content: "Board",
  components: [[{ type: "button", style: "primary", label: "Report", custom_id: "report" }]],
};
const form = {
  type: "modal",
  data: {
    modal_id: "report",
    title: "Report a game",
    fields: [
      { id: "game", label: "Game", style: "short", min_length: 3, max_length: 5, placeholder: "A number" },
      { id: "why", label: "Why?", style: "paragraph", required: false, value: "Too slow" },
    ],
  },
};

test("a form of a bot is filled in with the keyboard, checked at its fields, and sent", async () => {
  const { page, asked, respond, post } = await openWithBot(stage, []);
  await post(board);
  const pressed = await asked(() => page.getByRole("button", { name: "Report" }).press("Enter"));
  await respond(pressed, form);
  const dialog = page.getByRole("dialog", { name: "Report a game" });
  const game = dialog.getByRole("textbox", { name: "Game" });
  await game.and(page.locator(":focus")).waitFor();
  expect(await findingsInBothSchemes(page)).toEqual([]);

  await page.keyboard.press("Enter");
  await dialog.getByText("This is required.").waitFor();
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").filter({ hasText: "3 to 5 characters." }).waitFor();
  expect(await game.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => game.evaluate("document.activeElement.name")).toBe("game");
  // Characters count as the server counts them.
  await game.fill("♟️🏁🏁🏁");
  await dialog.getByRole("textbox", { name: "Why? (optional)" }).fill("Two\nlines");
  const submitted = await asked(() => game.press("Enter"));
  expect(submitted).toMatchObject({
    type: "modal",
    data: { modal_id: "report", fields: { game: "♟️🏁🏁🏁", why: "Two\nlines" } },
  });
  await respond(submitted, ephemeral("Thank you."));
  await messageWith(page, "Thank you.").waitFor();
  await waitUntilGone(dialog);
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Report");
});

test("what the server finds wrong stands at the field, and Escape sends nothing", async () => {
  const { page, asked, respond, post, connection } = await openWithBot(stage, []);
  await post(board);
  const pressed = await asked(() => page.getByRole("button", { name: "Report" }).click());
  await respond(pressed, form);
  const dialog = page.getByRole("dialog", { name: "Report a game" });
  const why = dialog.getByRole("textbox", { name: "Why? (optional)" });
  await waitForValue(why, "Too slow");
  await dialog.getByRole("textbox", { name: "Game" }).fill("1234");
  // As if a newer server had another rule.
  await page.route(/\/interactions$/, (route) => {
    const body = JSON.stringify({ error: "fields.why: must be polite", code: "fields_invalid" });
    return route.fulfill({ status: 400, contentType: "application/json", body });
  });
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.getByRole("alert").filter({ hasText: "must be polite" }).waitFor();
  await why.and(page.locator(":focus")).waitFor();
  await page.unroute(/\/interactions$/);
  const since = connection.mark();
  await page.keyboard.press("Escape");
  await waitUntilGone(dialog);
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Report");
  await connection.heartbeat();
  expect(connection.events.slice(since).filter(({ name }) => name === "INTERACTION_CREATE")).toEqual([]);
});

test("a form that the bot does not answer is sent again as it was", async () => {
  const { page, asked, respond, post } = await openWithBot(stage, []);
  await post(board);
  await respond(await asked(() => page.getByRole("button", { name: "Report" }).click()), form);
  const dialog = page.getByRole("dialog", { name: "Report a game" });
  await dialog.getByRole("textbox", { name: "Game" }).fill("1234");
  const first = await asked(() => dialog.getByRole("button", { name: "Send" }).click());
  const failure = messageWith(page, "chess did not answer.");
  await failure.getByText("Report a game").waitFor();
  const second = await asked(() => failure.getByRole("button", { name: "Try again" }).click());
  expect(second.id).not.toBe(first.id);
  expect(second.data).toEqual(first.data);
  await respond(second, ephemeral("Noted."));
  await messageWith(page, "Noted.").waitFor();
  await waitUntilGone(failure);
});
