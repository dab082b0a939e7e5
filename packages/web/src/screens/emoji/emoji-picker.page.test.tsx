import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { act, messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { focused, pressAt } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { type Visit, visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// Tests of the choice of emoji: all of Unicode, in the language of the reader.

const reactionsTo = "PUT /channels/:id/messages/:message/reactions/:emoji";
const field = () => page.getByCss("textarea[data-composer]");
const picker = () => page.getByRole("region", { name: "Emoji" });
const searchField = () => picker().getByRole("searchbox");
const emojiButton = () => page.getByRole("button", { name: "Emoji", exact: true });
const firstEmoji = () => picker().getByRole("gridcell").first().getByRole("button");

async function openTalk(options: Visit = {}) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ada, "Who wrote the engine?"), message(general, ada, "And the tests?")];
  const stage = await visit(world(ben, [club]), { path: channelPath(general), ...options });
  // It takes the focus once, which a key would miss otherwise.
  await focused(field());
  return { stage, ben };
}

test("in a German page emoji are found by German words and English shortcodes, in the picker and while writing", async () => {
  await openTalk({ locale: "de" });
  await emojiButton().click();
  await shown(picker().getByRole("button", { name: "Smileys und Gefühle" }));
  for (const [word, name] of [
    ["konfettibombe", "Konfettibombe"],
    ["GRÜNES HERZ", "grünes Herz"],
    [":tada:", "Konfettibombe"],
  ] as const) {
    await searchField().fill(word);
    await shown(picker().getByRole("gridcell").first().getByRole("button", { name, exact: true }));
  }
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue("🎉");
  await field().fill("Hurra :konfettib");
  await shown(page.getByRole("option", { name: /:tada: *Konfettibombe/ }));
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue("Hurra 🎉 ");
});

test("a reaction of several characters in a skin tone is sent, and tone and emoji are kept", async () => {
  const { stage, ben } = await openTalk();
  const technologist = "👩🏽‍💻";
  stage.server.on(reactionsTo, () => undefined);
  const sent = () =>
    stage.server.requests(reactionsTo).map(({ path }) => decodeURIComponent(path.split("/").at(-1) ?? ""));
  const reaction = (text: string) => messageWith(text).getByRole("button", { name: `${technologist}: 1 reaction` });
  await act("Who wrote the engine?", "Add a reaction");
  await picker().getByRole("button", { name: "Skin tone: Default" }).click();
  await picker().getByRole("radio", { name: "Medium", exact: true }).click();
  await shown(picker().getByRole("button", { name: "Skin tone: Medium" }));
  await searchField().fill("woman technologist");
  await picker().getByRole("button", { name: "woman technologist" }).click();
  await shown(reaction("Who wrote the engine?"));
  await expect.poll(sent).toEqual([technologist]);
  await stage.reload();
  // The page has one store for each account, also when it is loaded again here: it reads the browser's storage.
  dispatchEvent(new StorageEvent("storage", { key: `parley.emoji.${ben.id}` }));
  await shown(messageWith("Who wrote the engine?"));
  await emojiButton().click();
  await expect.element(firstEmoji()).toHaveAttribute("aria-label", "woman technologist");
  await expect.element(firstEmoji()).toHaveTextContent(technologist);
  await userEvent.keyboard("{Escape}");
  await gone(picker());
  // It is at hand at the next message, too, before the usual ones.
  await act("And the tests?", `React with ${technologist}`);
  await shown(reaction("And the tests?"));
  await expect.poll(sent).toEqual([technologist, technologist]);
});

/** Presses a key, and waits for the element that has the focus then. */
async function leadsTo(key: string, name: string): Promise<void> {
  await userEvent.keyboard(key);
  await expect
    .poll(() => document.activeElement?.getAttribute("aria-label"), { message: `the focus after ${key}` })
    .toBe(name);
}

/** Name of the first emoji in the row that has the focus. */
const firstOfRow = (): string =>
  document.activeElement?.closest("[role=row]")?.querySelector("button")?.getAttribute("aria-label") ?? "";

test("an emoji is picked with the keyboard alone", async () => {
  await openTalk();
  await pressAt(emojiButton(), "{Enter}");
  await focused(searchField());
  await leadsTo("{ArrowDown}", "grinning face");
  await leadsTo("{ArrowRight}", "grinning face with big eyes");
  await leadsTo("{ArrowUp}", "Find an emoji");
  await leadsTo("{ArrowDown}", "grinning face with big eyes");
  await leadsTo("{Control>}{End}{/Control}", "flag: Wales");
  await leadsTo("{ArrowLeft}", "flag: Scotland");
  await leadsTo("{Home}", firstOfRow());
  await leadsTo("{Control>}{Home}{/Control}", "grinning face");
  await userEvent.keyboard("rocket");
  await expect.element(searchField()).toHaveValue("rocket");
  await shown(picker().getByRole("gridcell").first().getByRole("button", { name: "rocket", exact: true }));
  await leadsTo("{ArrowDown}", "rocket");
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue("🚀");
  await pressAt(emojiButton(), "{Enter}");
  await focused(searchField());
  await userEvent.keyboard("{Escape}");
  await gone(picker());
  await focused(emojiButton());
});
