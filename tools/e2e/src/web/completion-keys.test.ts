import { createChannel, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { openWithBot } from "./bot-stage.js";
import { composer, useWebStage } from "./web-stage.js";

// The arrow keys in every list of completions.

const stage = useWebStage();

/** Chromium 156 returns a promise here, older browsers nothing. */
const scrollsWithPromise = `
  const { scrollIntoView } = Element.prototype;
  Element.prototype.scrollIntoView = function (options) {
    scrollIntoView.call(this, options);
    return Promise.resolve();
  };
`;

const commands = [
  {
    name: "play",
    description: "Begins a game",
    options: [{ name: "rival", type: "user", description: "The rival" }],
  },
  { name: "board", description: "Shows the board" },
];

test("the arrow keys move the mark in every list of completions, and the page stays", async () => {
  const bot = await openWithBot(stage, commands, { script: scrollsWithPromise });
  const { page, owner, member, serverId, channelId } = bot;
  await createChannel(owner, serverId, { name: "openings" });
  await page.getByRole("link", { name: "openings" }).waitFor();
  const list = page.getByRole("listbox", { name: "Suggestions" });
  const marked = list.locator("[role=option][aria-selected=true]");
  const moves = async (field: ReturnType<typeof composer>, typed: string) => {
    await field.fill("");
    await field.pressSequentially(typed);
    await list.getByRole("option").first().waitFor();
    const count = await list.getByRole("option").count();
    expect(count, typed).toBeGreaterThan(1);
    const first = await marked.textContent();
    await page.keyboard.press("ArrowDown");
    await waitUntil(async () => (await marked.textContent()) !== first);
    await page.keyboard.press("ArrowUp");
    await waitUntil(async () => (await marked.textContent()) === first);
  };
  for (const typed of ["hi @", "hi :sm", "hi #", "/"]) await moves(composer(page), typed);
  await composer(page).fill("/pl");
  await list.getByRole("option").filter({ hasText: "/play" }).waitFor();
  await page.keyboard.press("Enter");
  await moves(page.getByRole("form", { name: "/play" }).getByLabel("rival"), member.username.slice(0, 1));
  await postMessage(owner, channelId, "Still here");
  await page.getByText("Still here").waitFor();
});
