import { createChannel, type Page, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { findingsInBothSchemes } from "./barriers.js";
import { type BotStage, ephemeral, openWithBot } from "./bot-stage.js";
import {
  act,
  composer,
  messageWith,
  sentMessage,
  useWebStage,
  waitForCount,
  waitForValue,
  waitUntilGone,
} from "./web-stage.js";

const stage = useWebStage();
const option = (name: string, type: string, more: object = {}) => ({ name, type, description: `The ${name}`, ...more });
const play = {
  name: "play",
  description: "Begins a game",
  options: [
    option("minutes", "integer", { required: true, min: 1, max: 90 }),
    option("opening", "string", { autocomplete: true }),
    option("rival", "user"),
    option("table", "channel"),
    option("rated", "boolean"),
    option("colour", "string", {
      choices: [
        { name: "White", value: "w" },
        { name: "Black", value: "b" },
      ],
    }),
  ],
};
const commands = [
  play,
  { name: "board", description: "Shows the board" },
  { name: "flag", context: "message", description: "Flags" },
];
const activeName = ({ page }: BotStage) =>
  page.evaluate<string>("document.activeElement.name ?? document.activeElement.labels?.[0]?.textContent ?? ''");

test("a command is found, filled in and sent with the keyboard", async () => {
  const bot = await openWithBot(stage, commands);
  const { page, asked, respond, member, owner, channelId, serverId } = bot;
  const lounge = await createChannel(owner, serverId, { name: "lounge", type: "text" });
  await page.getByRole("link", { name: "lounge" }).waitFor();
  await composer(page).press("/");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await waitForCount(list.getByRole("option"), 2);
  expect(await composer(page).getAttribute("aria-activedescendant")).not.toBeNull();
  await page.keyboard.type("pl");
  await waitForCount(list.getByRole("option"), 1);
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press("Enter");

  const form = page.getByRole("form", { name: "/play" });
  const field = (name: string) => form.getByLabel(name);
  await waitUntil(async () => (await activeName(bot)) === "minutes");
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await form.getByRole("alert").filter({ hasText: "This is required." }).waitFor();
  await page.keyboard.type("91");
  await page.keyboard.press("Enter");
  await form.getByRole("alert").filter({ hasText: "90 or less." }).waitFor();
  await field("minutes").fill("5");

  await page.keyboard.press("Tab");
  const completing = await asked(() => page.keyboard.type("sic"));
  expect(completing).toMatchObject({
    type: "autocomplete",
    data: { focused: "opening", options: { minutes: 5, opening: "sic" } },
  });
  await respond(completing, { type: "choices", data: [{ name: "Sicilian Defence", value: "B20" }] });
  await form.getByRole("option", { name: "Sicilian Defence" }).waitFor();
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await waitForValue(field("opening"), "Sicilian Defence");

  await field("rival").fill(owner.username.slice(0, 4));
  await form.getByRole("option", { name: owner.username }).waitFor();
  await page.keyboard.press("Enter");
  await waitForValue(field("rival"), owner.username);
  await field("table").selectOption({ label: "#lounge" });
  await field("rated").selectOption({ label: "Yes" });
  await field("colour").selectOption({ label: "Black" });
  const used = await asked(() => field("colour").press("Enter"));
  const options = { minutes: 5, opening: "B20", rival: owner.user.id, table: lounge.id, rated: true, colour: "b" };
  expect(used).toMatchObject({ type: "command", data: { name: "play", options } });
  await messageWith(page, "Asking chess …").getByText("/play").waitFor();
  await respond(used, { type: "message", data: { content: "Game on." } });
  await messageWith(page, "Game on.").getByText(`${member.username} asked for this`).waitFor();
  await waitUntilGone(messageWith(page, "Asking chess …"));
  await waitUntil(() => page.evaluate<boolean>("document.activeElement.matches('[data-composer]')"));
  expect(await composer(page).inputValue()).toBe("");
  await postMessage(member, channelId, "After it");
  await messageWith(page, "After it").waitFor();
});

test("a command without fields is used by one more Enter, and Escape leaves it", async () => {
  const { page, asked, respond, connection } = await openWithBot(stage, commands);
  const choose = async () => {
    await composer(page).fill("/boa");
    await page.getByRole("option", { name: "/board – Shows the board" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("form", { name: "/board" }).waitFor();
    await waitUntil(() => page.evaluate<boolean>("document.activeElement.textContent === 'Send'"));
  };
  const since = connection.mark();
  await choose();
  await page.keyboard.press("Escape");
  await waitUntil(() => page.evaluate<boolean>("document.activeElement.matches('[data-composer]')"));
  await choose();
  const used = await asked(() => page.keyboard.press("Enter"));
  expect(connection.events.slice(since).filter(({ name }) => name === "INTERACTION_CREATE")).toHaveLength(1);
  await respond(used, ephemeral("e4 e5"));
  await messageWith(page, "e4 e5").waitFor();
});

test("what the server finds wrong with an option stands at its field", async () => {
  const { page } = await openWithBot(stage, commands);
  await composer(page).fill("/pl");
  await page.getByRole("option", { name: /^\/play/ }).click();
  const form = page.getByRole("form", { name: "/play" });
  await form.getByLabel("minutes").fill("5");
  await page.route(/\/interactions$/, (route) => {
    const body = JSON.stringify({ error: "options.opening: must be sound", code: "options_invalid" });
    return route.fulfill({ status: 400, contentType: "application/json", body });
  });
  await form.getByRole("button", { name: "Send" }).click();
  await form.getByRole("alert").filter({ hasText: "must be sound" }).waitFor();
  expect(await form.getByLabel("opening").getAttribute("aria-invalid")).toBe("true");
});

test("commands are read when they are first asked for, and again when a bot has others", async () => {
  const { page, bot } = await openWithBot(stage, commands);
  const reads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/commands")) reads.push(request.url());
  });
  await page.reload();
  await composer(page).waitFor();
  await composer(page).fill("no /command");
  expect(reads).toEqual([]);
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await composer(page).fill("/");
  await waitForCount(list.getByRole("option"), 2);
  await composer(page).fill("");
  await composer(page).fill("/b");
  await waitForCount(list.getByRole("option"), 1);
  expect(reads).toHaveLength(1);
  const changed = await bot.client.put("/bots/@me/commands", { commands: [{ name: "bishop", description: "Moves" }] });
  expect(changed.status).toBe(200);
  await list.getByRole("option", { name: /^\/bishop/ }).waitFor();
});

/** Uses the only command in the open menu, with the keyboard. */
async function useEntry(page: Page, name: string): Promise<void> {
  // A pointer that rests on an entry would take the focus back.
  await page.mouse.move(0, 0);
  await page.getByRole("menuitem", { name: "Apps" }).press("ArrowRight");
  const entry = page.getByRole("menuitem", { name });
  await entry.waitFor();
  expect(await page.getByRole("menuitem", { name: /^ask-/ }).count()).toBe(1);
  await entry.press("Enter");
}

test("commands about messages and members are in their menus, where there are some", async () => {
  const named = (context: string) => ({ name: `ask-${context}`, description: "Asks", context });
  const { page, asked, respond, post, member, owner, bot, channelId } = await openWithBot(stage, [
    named("message"),
    named("user"),
    named("server"),
  ]);
  await postMessage(owner, channelId, "Mate in two");
  await sentMessage(page, "Mate in two");
  await act(page, "Mate in two", "More");
  const about = await asked(() => useEntry(page, "ask-message – Chess"));
  expect(about).toMatchObject({
    data: { name: "ask-message", context: "message" },
    message: { content: "Mate in two" },
  });
  await respond(about, ephemeral("Mate in three."));
  await messageWith(page, "Mate in three.").waitFor();

  const members = page.getByRole("complementary", { name: "Members" });
  await members.getByRole("button", { name: new RegExp(member.username) }).click({ button: "right" });
  const asking = await asked(() => useEntry(page, "ask-user – Chess"));
  expect(asking).toMatchObject({ data: { name: "ask-user", target_id: member.user.id } });
  await respond(asking, ephemeral("Plays well."));
  await messageWith(page, "Plays well.").waitFor();

  expect((await bot.client.put("/bots/@me/commands", { commands: [] })).status).toBe(200);
  await post({ content: "None left" });
  await act(page, "None left", "More");
  await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("menuitem", { name: "Apps" }).count()).toBe(0);
});

test("a touched message offers them in its sheet", async () => {
  const flag = { name: "flag", description: "Flags", context: "message" };
  const { page, asked, owner, channelId } = await openWithBot(stage, [flag], {
    isTouch: true,
    viewport: { width: 390, height: 844 },
  });
  await postMessage(owner, channelId, "Mate in two");
  const message = await sentMessage(page, "Mate in two");
  const touch = { pointerType: "touch", isPrimary: true, bubbles: true };
  await message.dispatchEvent("pointerdown", touch);
  const sheet = page.getByRole("dialog", { name: "Message actions" });
  const entry = sheet.getByRole("button", { name: "flag – Chess" });
  await entry.waitFor();
  await page.locator("body").dispatchEvent("pointerup", touch);
  // The click that a browser reports when the finger is lifted is swallowed.
  const press = async () => {
    await entry.click();
    return sheet.isHidden();
  };
  const interaction = await asked(() => waitUntil(press, { timeoutMs: 5_000, what: "the entry to take the press" }));
  expect(interaction).toMatchObject({ data: { name: "flag" }, message: { content: "Mate in two" } });
});
