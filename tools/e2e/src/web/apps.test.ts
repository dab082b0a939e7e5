import { createGate, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { connectWith } from "../api/app-stage.js";
import { findingsInBothSchemes } from "./barriers.js";
import { ephemeral, openWithBot } from "./bot-stage.js";
import { holdAnswer, messageWith, useWebStage, waitUntilGone } from "./web-stage.js";

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
  expect(await messageWith(othersPage, "The offer stands.").count()).toBe(0);

  await answer.getByRole("button", { name: "Dismiss" }).click();
  await waitUntilGone(answer);
  await expect.poll(() => page.evaluate("document.activeElement.matches('[data-composer]')")).toBe(true);
});

test("components of an answer for the user alone can be pressed, and change it", async () => {
  const { page, asked, respond, post } = await openWithBot(stage, []);
  await post(board);
  const first = await asked(() => page.getByRole("button", { name: "Resign" }).click());
  await respond(first, ephemeral("Sure?", { components: [[button("Yes", "yes")]] }));
  const second = await asked(() => messageWith(page, "Sure?").getByRole("button", { name: "Yes" }).click());
  expect(second.data).toEqual({ custom_id: "yes", values: [] });
  await respond(second, { type: "update", data: { content: "Resigned.", components: [] } });
  await messageWith(page, "Resigned.").waitFor();
  expect(await messageWith(page, "Sure?").count()).toBe(0);
  await respond(first, { ...ephemeral("A later word."), follow_up: true });
  await messageWith(page, "A later word.").waitFor();
});

test("a press that no bot answers says so, and is sent again", async () => {
  const { page, post, connection, bot, respond } = await openWithBot(stage, []);
  await post(board);
  await connection.close();
  await page.getByRole("button", { name: "Draw" }).click();
  const failure = messageWith(page, "Board").getByText("chess did not answer.");
  await failure.waitFor();
  await page.getByRole("alert").filter({ hasText: "chess did not answer." }).waitFor({ state: "attached" });

  const back = await connectWith(stage.stack.gateways[0]?.url ?? "", `bot_token=${bot.token}`);
  await messageWith(page, "Board").getByRole("button", { name: "Try again" }).click();
  const interaction = await back.waitFor("INTERACTION_CREATE");
  await respond(interaction, ephemeral("Offered."));
  await messageWith(page, "Offered.").waitFor();
  await waitUntilGone(failure);
  await back.close();
});

test("an answer that comes before the page knows what it answers is shown", async () => {
  const { page, asked, respond, post } = await openWithBot(stage, []);
  await post(board);
  const read: string[] = [];
  page.on("request", (request) => {
    if (/\/interactions\/[^/]+$/.test(request.url())) read.push(request.url());
  });
  const held = await holdAnswer(page, /\/interactions$/);
  const interaction = await asked(() => page.getByRole("button", { name: "Draw" }).click());
  await held.given;
  await respond(interaction, ephemeral("Quick."));
  const heard = page.waitForResponse(/\/interactions$/);
  held.release();
  await heard;
  await messageWith(page, "Quick.").waitFor();
  expect(read).toEqual([]);
});

test("an answer that the page missed is read when the connection is back", async () => {
  const returning = createGate();
  const opened: { close: () => Promise<void> }[] = [];
  const { page, asked, respond, post } = await openWithBot(stage, [], {
    prepare: (empty) =>
      empty.routeWebSocket(/.*/, async (socket) => {
        if (opened.push(socket) > 1) await returning.opened;
        const gateway = socket.connectToServer();
        // Numbers of another installation: the next connection begins with READY.
        gateway.onMessage((frame) => socket.send(String(frame).replace(/"s":"[^"]+"/, '"s":"foreign"')));
      }),
  });
  await post(board);
  const interaction = await asked(() => page.getByRole("button", { name: "Draw" }).click());
  await respond(interaction, { type: "deferred", data: { ephemeral: true } });
  await messageWith(page, "chess is thinking …").waitFor();
  await opened[0]?.close();
  await page.getByText("Connection lost. Reconnecting …").waitFor();
  await respond(interaction, ephemeral("Missed."));
  returning.open();
  await messageWith(page, "Missed.").waitFor();
});
