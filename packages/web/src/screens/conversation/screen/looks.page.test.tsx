import { expect, test } from "vitest";
import { commands, page } from "vitest/browser";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import type { Held } from "../../../page-stage/fake-server.js";
import { channelPath, community, member, message, newId, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { openSettings } from "../../../page-stage/settings.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// Placeholders of content that is not there yet, or not at all.

/** The shapes of content that is loading. */
const shapes = () => page.getByRole("main").getByCss("[data-loading] [aria-busy=true]");
const motions = () => document.getAnimations().length;

/** The user of a server, which is theirs alone, and the server. */
function alone() {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  return { ada, club, general, there: world(ada, [club]), path: channelPath(general) };
}

test("messages that take long are shown as shapes, said to be loading, and move nothing when they come", async () => {
  const { ada, general, there, path } = alone();
  let messages: Held | undefined;
  const stage = await visit(there, {
    path,
    reducedMotion: "reduce",
    prepare: (server) => {
      messages = server.hold("GET /channels/:id/messages", () => [message(general, ada, "Worth waiting for")]);
    },
  });
  await shown(composer());
  await shown(shapes().first());
  await messages?.asked;
  const spoken = page.getByRole("main").getByText("Loading …").first();
  await expect.element(spoken).toHaveAttribute("aria-live", "polite");
  const before = composer().element().getBoundingClientRect();
  await expect.poll(motions).toBe(0);
  await commands.emulateMedia({ reducedMotion: "no-preference" });
  await expect.poll(motions).toBeGreaterThan(0);
  messages?.release();
  await shown(messageWith("Worth waiting for"));
  await gone(shapes());
  await stage.settled();
  expect(composer().element().getBoundingClientRect()).toEqual(before);
});

test("what stands below a list of settings comes with the list, and is not moved by it", async () => {
  let webhooks: Held | undefined;
  const opened = openSettings("webhooks", (server) => {
    webhooks = server.hold("GET /servers/:id/webhooks", () => ({ webhooks: [] }));
  });
  await shown(page.getByRole("heading", { name: "Outgoing webhooks", level: 2 }));
  await shown(shapes());
  const form = page.getByRole("textbox", { name: "Name" });
  await expect.poll(() => [shapes().elements().length > 0, form.elements().length]).toEqual([true, 0]);
  webhooks?.release();
  await shown(form);
  await gone(shapes());
  await opened;
});

test("a picture that cannot be loaded gives way to the letter of its user", async () => {
  const { ada, general, club, there, path } = alone();
  const author = {
    id: ada.id,
    username: ada.username,
    nickname: null,
    avatar_url: "https://pictures.invalid/gone.png",
  };
  club.messages[general.id] = [message(general, ada, "Look at me", { author })];
  await visit(there, { path });
  await shown(messageWith("Look at me").getByCss('[data-initials="A"]'));
  await expect.poll(() => messageWith("Look at me").getByCss("img").elements()).toEqual([]);
});

test("a server keeps its colour when it gets another name", async () => {
  const { club, there, path } = alone();
  const { reload } = await visit(there, { path });
  const tile = (name: string) =>
    page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name }).getByCss("span[aria-hidden]");
  await shown(tile(club.server.name));
  const colorOf = (name: string) => getComputedStyle(tile(name).element()).backgroundColor;
  const before = colorOf(club.server.name);
  club.server.name = "Harbour Chess";
  await reload();
  await expect.element(tile("Harbour Chess")).toHaveAttribute("data-initials", "HC");
  await expect.poll(() => colorOf("Harbour Chess")).toBe(before);
});

test("a bot is shown by the name it was given, marked as a bot, in messages, the member list and its card", async () => {
  const { general, club, there, path } = alone();
  const bot = { id: newId(), username: "helper-bot-0190a5b4" };
  club.members.push(member(bot, { is_bot: true }));
  const author = { ...bot, nickname: null, avatar_url: null, is_bot: true } as const;
  club.messages[general.id] = [message(general, bot, "At your service.", { author })];
  await visit(there, { path });
  const shownMessage = messageWith("At your service.");
  await shown(shownMessage.getByText("Bot", { exact: true }));
  await shown(page.getByRole("region", { name: "Members" }).getByRole("button", { name: /^helper\s*Bot/ }));
  await shownMessage.getByRole("button", { name: "helper", exact: true }).click();
  await shown(page.getByRole("dialog").getByText("Bot", { exact: true }));
});

test("a long paragraph is folded until all of it is asked for", async () => {
  const { ada, general, club, there, path } = alone();
  club.messages[general.id] = [message(general, ada, "A long story, told in one go. ".repeat(100).trim())];
  await visit(there, { path });
  const long = messageWith("A long story");
  const height = () => long.element().getBoundingClientRect().height;
  await shown(long.getByRole("button", { name: "Show the whole message" }));
  const folded = height();
  await long.getByRole("button", { name: "Show the whole message" }).click();
  await shown(long.getByRole("button", { name: "Show less" }));
  await expect.poll(height).toBeGreaterThan(folded);
});

test("a browser that loses its network is said to have no connection before the gateway is missed", async () => {
  const { there, path } = alone();
  const stage = await visit(there, { path });
  await shown(composer());
  await stage.settled();
  stage.setOnline(false);
  await shown(page.getByText("You’re offline."));
  stage.setOnline(true);
  await gone(page.getByText(/^You’re offline|^Connection lost/));
  expect(stage.connections).toBe(1);
});
