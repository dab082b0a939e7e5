import type { Page } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import {
  type Conversation,
  composer,
  openConversation,
  useWebStage,
  waitForValue,
  waitUntilGone,
} from "./web-stage.js";

const stage = useWebStage();
let talk: Conversation;
let page: Page;

beforeAll(async () => {
  talk = await openConversation(stage);
  page = talk.adasPage;
});

/** Between two keys, as somebody types who is fast; in milliseconds. */
const typing = { delay: 15 };
const rest = "abcdefgh";

/** What chooses a member in the list of suggestions, and what is chosen. */
const choices: [string, (name: string) => Promise<void>][] = [
  ["Enter", () => page.keyboard.press("Enter")],
  ["Tab", () => page.keyboard.press("Tab")],
  ["a click", (name) => page.getByRole("option", { name }).click()],
];

test.each(choices)("what is typed right after %s has chosen a mention stands behind it", async (_, choose) => {
  const { username } = talk.ben;
  for (const behind of ["", " and the others"]) {
    for (let round = 0; round < 3; round += 1) {
      await composer(page).fill(behind);
      await page.keyboard.press("Home");
      await page.keyboard.type(`hi @${username.slice(0, -2)}`, typing);
      await page.getByRole("option", { name: username }).waitFor();
      await choose(username);
      await page.keyboard.type(rest, typing);
      await waitForValue(composer(page), `hi @${username} ${rest}${behind.trimStart()}`);
    }
  }
});

test("what is typed right after an emoji was picked stands behind it", async () => {
  for (let round = 0; round < 3; round += 1) {
    await composer(page).fill("well done");
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Emoji", exact: true }).click();
    await page.getByRole("searchbox", { name: "Find an emoji" }).fill("tada");
    const found = page.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "party popper" });
    await found.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type(rest, typing);
    await waitForValue(composer(page), `🎉${rest}well done`);
    await waitUntilGone(found);
    await page.keyboard.type("i");
    expect(await composer(page).inputValue()).toBe(`🎉${rest}iwell done`);
  }
});
