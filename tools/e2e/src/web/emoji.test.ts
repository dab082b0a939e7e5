import { type Page, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import {
  act,
  type Conversation,
  messageWith,
  openConversation,
  sentMessage,
  useWebStage,
  waitForValue,
  waitUntilGone,
  write,
} from "./web-stage.js";

// Of the choice of emoji: all of Unicode, in the language of the reader.

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

const field = (page: Page) => page.locator("textarea[data-composer]");
const picker = (page: Page) => page.getByRole("region", { name: "Emoji" });
const searchField = (page: Page) => picker(page).getByRole("searchbox");
const openPicker = async (page: Page) => {
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  await searchField(page).waitFor();
};
const focusedName = (page: Page) => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')");

test("emoji are loaded when they are first asked for, and again after that has failed", async () => {
  const asked: string[] = [];
  let isLost = true;
  const page = await stage.visit(talk.ada, {
    path: talk.path,
    prepare: async (fresh) => {
      fresh.on("request", (request) => {
        const name = /\/assets\/(emoji-(?:english|german|arabic|picker))-[^/]*\.js/.exec(request.url())?.[1];
        if (name !== undefined) asked.push(name);
      });
      for (const address of [/\/assets\/emoji-english-[^/]*\.js$/, /\/app\/$/]) {
        await fresh.route(address, (route) =>
          isLost && !route.request().isNavigationRequest() ? route.abort("internetdisconnected") : route.continue(),
        );
      }
    },
  });
  await field(page).fill("Just words");
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  isLost = false;
  await again.click();
  await searchField(page).waitFor();
  expect(new Set(asked)).toEqual(new Set(["emoji-english", "emoji-picker"]));
  await page.context().close();
});

test("in a German page emoji are found by German words and English shortcodes, in the picker and while writing", async () => {
  const german = await stage.visit(talk.ben, { path: talk.path, locale: "de" });
  await field(german).waitFor();
  await openPicker(german);
  await picker(german).getByRole("button", { name: "Smileys und Gefühle" }).waitFor();
  for (const word of ["konfettibombe", "GRÜNES HERZ", ":tada:"]) {
    await searchField(german).fill(word);
    const name = word === "GRÜNES HERZ" ? "grünes Herz" : "Konfettibombe";
    await picker(german).getByRole("gridcell").first().getByRole("button", { name, exact: true }).waitFor();
  }
  await german.keyboard.press("Enter");
  await waitForValue(field(german), "🎉");
  await field(german).fill("Hurra :konfettib");
  await german.getByRole("option", { name: /:tada: *Konfettibombe/ }).waitFor();
  await german.keyboard.press("Enter");
  await waitForValue(field(german), "Hurra 🎉 ");
  await german.context().close();
});

test("a reaction of several characters in a skin tone reaches the other, and tone and emoji are kept", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "Who wrote the engine?");
  await act(bensPage, "Who wrote the engine?", "Add a reaction");
  await picker(bensPage).getByRole("button", { name: "Skin tone: Default" }).click();
  await picker(bensPage).getByRole("radio", { name: "Medium", exact: true }).click();
  await picker(bensPage).getByRole("button", { name: "Skin tone: Medium" }).waitFor();
  await searchField(bensPage).fill("woman technologist");
  await picker(bensPage).getByRole("button", { name: "woman technologist" }).click();
  await messageWith(adasPage, "Who wrote the engine?").getByRole("button", { name: "👩🏽‍💻: 1 reaction" }).waitFor();
  await bensPage.reload();
  await sentMessage(bensPage, "Who wrote the engine?");
  await openPicker(bensPage);
  const first = picker(bensPage).getByRole("gridcell").first().getByRole("button");
  expect([await first.getAttribute("aria-label"), await first.textContent()]).toEqual(["woman technologist", "👩🏽‍💻"]);
  await bensPage.keyboard.press("Escape");
  await waitUntilGone(picker(bensPage));
  // It is at hand at the next message, too, before the usual ones.
  await write(adasPage, "And the tests?");
  await act(bensPage, "And the tests?", "React with 👩🏽‍💻");
  await messageWith(adasPage, "And the tests?").getByRole("button", { name: "👩🏽‍💻: 1 reaction" }).waitFor();
});

test("an emoji is picked with the keyboard alone", async () => {
  const { adasPage: page } = talk;
  await field(page).fill("");
  const button = page.getByRole("button", { name: "Emoji", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await searchField(page).and(page.locator(":focus")).waitFor();
  const leadsTo = (key: string, name: string) => press(page, key, name);
  await leadsTo("ArrowDown", "grinning face");
  await leadsTo("ArrowRight", "grinning face with big eyes");
  await leadsTo("ArrowUp", "Find an emoji");
  await leadsTo("ArrowDown", "grinning face with big eyes");
  await leadsTo("Control+End", "flag: Wales");
  await leadsTo("ArrowLeft", "flag: Scotland");
  await leadsTo("Home", await firstOfRow(page));
  await leadsTo("Control+Home", "grinning face");
  await page.keyboard.type("rocket");
  await waitForValue(searchField(page), "rocket");
  await picker(page).getByRole("gridcell").first().getByRole("button", { name: "rocket", exact: true }).waitFor();
  await leadsTo("ArrowDown", "rocket");
  await page.keyboard.press("Enter");
  await waitForValue(field(page), "🚀");
  await button.focus();
  await page.keyboard.press("Enter");
  await searchField(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await waitUntilGone(picker(page));
  await button.and(page.locator(":focus")).waitFor();
});

/** Presses a key, and waits for the element that has the focus then. */
async function press(page: Page, key: string, name: string): Promise<void> {
  await page.keyboard.press(key);
  await waitUntil(async () => (await focusedName(page)) === name, { what: `the focus on “${name}” after ${key}` });
}

/** Name of the first emoji in the row that has the focus. */
const firstOfRow = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.closest('[role=row]').querySelector('button').getAttribute('aria-label')",
  );

test("on a telephone the emoji are a sheet from edge to edge, with room for a finger", async () => {
  const page = await stage.visit(talk.ada, {
    path: talk.path,
    viewport: { width: 390, height: 800 },
    isTouch: true,
  });
  await field(page).waitFor();
  await page.getByRole("button", { name: "Emoji", exact: true }).tap();
  const sheet = page.getByRole("dialog", { name: "Emoji" });
  await waitUntil(
    async () => {
      const box = await sheet.boundingBox();
      return box !== null && box.x === 0 && box.width === 390 && Math.round(box.y + box.height) === 800;
    },
    { what: "the sheet at the bottom" },
  );
  await sheet.getByRole("button", { name: "Food and drink" }).tap();
  const melon = sheet.getByRole("button", { name: "watermelon" });
  await melon.waitFor();
  for (const target of [melon, sheet.getByRole("button", { name: "Flags" })]) {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
  }
  await melon.tap();
  await waitUntilGone(sheet);
  await waitForValue(field(page), "🍉");
  await page.context().close();
});
