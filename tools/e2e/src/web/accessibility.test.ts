import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DmChannel, Invite } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createRole,
  createServer,
  type Page,
  postMessage,
  runContext,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { registerAdmin } from "../api/admin-stage.js";
import { findingsInBothSchemes } from "./barriers.js";
import { joinCall, personTile } from "./call-media.js";
import { chooseInRow, menuOf } from "./row-menu.js";
import {
  act,
  actInMenu,
  type Conversation,
  composer,
  messageWith,
  openConversation,
  useWebStage,
  waitUntilGone,
} from "./web-stage.js";

const stage = useWebStage({ fakeMedia: true });
const CreatedBot = z.object({ bot: z.object({ id: z.string() }) });
let talk: Conversation;
/** Below `/app`: the addresses about which axe was asked. */
const asked = new Set<string>();

beforeAll(async () => {
  talk = await openConversation(stage);
  const { ada, ben, channel, server } = talk;
  // Dark on dark and light on light, unless the page changes them.
  for (const [user, color] of [
    [ada, "#000080"],
    [ben, "#ffffe0"],
  ] as const) {
    await assignRole(ada, await createRole(ada, server.id, { name: `Role ${color}`, color }), user);
  }
  await postMessage(ben, channel.id, `@${ada.username} a **mention** with \`code\` and https://example.org`);
  await postMessage(ada, channel.id, "```\nlet board;\n```\n> quoted\n\n1. one\n2. two");
  const { id } = await postMessage(ada, channel.id, "A message with everything");
  await ben.put(`/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent("👍")}`);
  await ada.post(`/channels/${channel.id}/polls`, { question: "Which?", options: ["Monday", "Friday"] });
  await createChannel(ada, server.id, { name: "lounge", type: "voice", category: "Voices", topic: "Talk" });
  await ada.post(`/servers/${server.id}/webhooks`, {
    name: "Bridge",
    url: "https://example.com/hook",
    event_types: ["message.created"],
  });
});

type Element = ReturnType<typeof messageWith>;

/** Asks axe about the screen that stands there once the element is visible. */
async function expectOpen(page: Page, screen: string, element: Element): Promise<void> {
  await element.first().waitFor();
  asked.add(new URL(page.url()).pathname.replace("/app", ""));
  expect.soft(await findingsInBothSchemes(page), screen).toEqual([]);
}
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const dialog = (page: Page) => page.getByRole("dialog");

/** Asks axe about what has opened above the page, and closes it. */
async function expectAbove(page: Page, name: string, element: Element): Promise<void> {
  await expectOpen(page, name, element);
  await page.keyboard.press("Escape");
  await waitUntilGone(element);
}

describe("in dark and light colours axe finds nothing", () => {
  test("axe finds nothing on the screens without a session", async () => {
    const page = await stage.visit(null);
    await expectOpen(page, "login", heading(page, "Log in to Parley"));
    await page.goto(`${stage.stack.edgeUrl}/app/register`);
    await expectOpen(page, "register", heading(page, "Create an account"));
    await page.goto(`${stage.stack.edgeUrl}/app/reset-password`);
    await expectOpen(page, "reset", heading(page, "Reset your password"));
    await page.context().close();
  });

  test("axe finds nothing in a channel with its panels and dialogs", async () => {
    const page = await stage.visit(talk.ada, { path: talk.path });
    await messageWith(page, "A message with everything")
      .getByRole("button", { name: /1 reaction/ })
      .waitFor();
    await expectOpen(page, "channel", composer(page));
    await act(page, "A message with everything", "Reply in a thread");
    await expectOpen(page, "thread", page.getByRole("textbox", { name: "Reply in the thread" }));
    await page.getByRole("button", { name: "Pinned messages" }).click();
    await expectOpen(page, "pins", page.getByText("Nothing is pinned yet."));
    await actInMenu(page, "A message with everything", "Delete");
    await expectAbove(page, "deleting", dialog(page));
    await page.getByRole("button", { name: "Emoji", exact: true }).click();
    await expectAbove(page, "emoji", page.getByRole("searchbox", { name: "Find an emoji" }));
    for (const [entry, name] of [
      ["Create a poll", "poll"],
      ["Plan an event", "event"],
    ] as const) {
      await page.getByRole("button", { name: "Poll, event, files" }).click();
      await expectOpen(page, "menu", page.getByRole("menu"));
      await page.getByRole("menuitem", { name: entry }).click();
      await expectAbove(page, name, dialog(page));
    }
    await page.getByRole("button", { name: "Members" }).click();
    await page.getByRole("region", { name: "Members" }).getByRole("button", { name: talk.ben.username }).click();
    await expectAbove(page, "card", dialog(page).getByRole("button", { name: "Message", exact: true }));
    await page.keyboard.press("Control+k");
    await expectAbove(page, "quick switcher", page.getByRole("dialog", { name: "Go to" }));
    await page.keyboard.press("Control+/");
    await expectAbove(page, "shortcuts", page.getByRole("dialog", { name: "Keyboard shortcuts" }));
    await page.getByRole("button", { name: "Search" }).click();
    await dialog(page).getByRole("searchbox").fill("message");
    await dialog(page).getByRole("listitem").first().waitFor();
    await expectAbove(page, "search", dialog(page));
    await page.context().close();
  });

  test("axe finds nothing around the channels", async () => {
    const { ada, server } = talk;
    const page = await stage.visit(ada, { path: talk.path });
    const menu = page.getByRole("button", { name: `${server.name}: menu` });
    for (const entry of ["Invite people", "Create a channel"]) {
      await menu.click();
      await expectOpen(page, "menu of the server", page.getByRole("menu"));
      await page.getByRole("menuitem", { name: entry }).click();
      await expectAbove(page, entry, dialog(page));
    }
    await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" }).click();
    await expectOpen(page, "voice", page.getByRole("button", { name: "Join" }));
    await page.getByRole("button", { name: "Show the chat" }).click();
    await expectOpen(page, "voice with its chat", composer(page));
    await joinCall(page, "lounge");
    await expectOpen(page, "running call", personTile(page, ada.username));
    await page.getByRole("region", { name: "Call" }).getByRole("button", { name: "Leave the call" }).click();
    await page.goto(`${stage.stack.edgeUrl}/app/servers/${server.id}/channels/00000000-0000-4000-8000-000000000000`);
    await expectOpen(page, "not found", heading(page, "Page not found"));
    const empty = await createServer(ada, { name: "Nothing yet" });
    await page.goto(`${stage.stack.edgeUrl}/app/servers/${empty.id}`);
    await expectOpen(page, "server without channels", heading(page, "There are no channels here that you can see."));
    await page.getByRole("link", { name: "Direct messages" }).click();
    await expectOpen(page, "direct messages", heading(page, "Welcome to Parley"));
    await page.getByRole("main").getByRole("button", { name: "Add a server" }).click();
    await expectAbove(page, "add a server", dialog(page));
    await page.getByRole("link", { name: "Friends" }).click();
    await expectOpen(page, "friends", heading(page, "Your friends"));
    await page.getByRole("link", { name: "Discover servers" }).click();
    await expectOpen(page, "browse", heading(page, "Discover servers"));
    await page.context().close();
  });

  test("axe finds nothing in direct messages and on an invite", async () => {
    const { ada, ben, server } = talk;
    const { id } = (await ada.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel);
    const page = await stage.visit(ada, { path: `/dm/${id}` });
    await expectOpen(page, "direct message", composer(page));
    const { code } = (await ada.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
    await page.goto(`${stage.stack.edgeUrl}/app/invite/${code}`);
    await expectOpen(page, "invite", page.getByRole("main").getByRole("heading"));
    const { bot } = (await ada.post("/bots", { name: "Chess" })).expect(201, CreatedBot);
    await page.goto(`${stage.stack.edgeUrl}/app/add-bot/${bot.id}`);
    await expectOpen(page, "adding a bot", page.getByLabel("Server", { exact: true }));
    await page.context().close();
  });

  test("axe finds nothing in the settings", async () => {
    const { ada, ben, server } = talk;
    const settings = `${stage.stack.edgeUrl}/app/servers/${server.id}/settings`;
    const page = await stage.visit(ada, { path: `/servers/${server.id}/settings` });
    await expectSections(page, /^Settings of/);
    const row = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });
    await page.goto(`${settings}/roles`);
    await row("Role #000080").getByRole("button", { name: "Edit" }).click();
    await expectAbove(page, "role", dialog(page));
    await page.goto(`${settings}/members`);
    await menuOf(row(ben.username)).click();
    await expectAbove(page, "menu of a row", page.getByRole("menu"));
    await chooseInRow(row(ben.username), "Ban");
    await expectAbove(page, "question", dialog(page));
    await page.goto(`${settings}/channels`);
    await chooseInRow(row("lounge"), "Permissions");
    await expectAbove(page, "permissions", dialog(page));
    await page.goto(`${settings}/webhooks`);
    await chooseInRow(row("Bridge"), "Deliveries");
    await expectAbove(page, "deliveries", dialog(page));
    await page.goto(`${stage.stack.edgeUrl}/app/account`);
    await expectSections(page, "My account");
    await page.context().close();
    const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
    const adminPage = await stage.visit(admin, { path: "/admin" });
    await expectSections(adminPage, "Administration");
    await adminPage.context().close();
  });

  test("axe finds nothing on a telephone", async () => {
    const page = await stage.visit(talk.ada, { path: talk.path, viewport: { width: 390, height: 800 } });
    await expectOpen(page, "channel", composer(page));
    await page.getByRole("button", { name: "Servers and channels" }).click();
    await expectAbove(page, "navigation", page.getByRole("navigation", { name: "Channels" }));
    await page.getByRole("button", { name: "Members" }).click();
    await expectOpen(page, "members", page.getByRole("region", { name: "Members" }));
    await page.goto(`${stage.stack.edgeUrl}/app/servers/${talk.server.id}/settings/members`);
    await expectOpen(page, "settings", page.getByRole("list", { name: "Members" }));
    await page.context().close();
  });

  // Runs after the others of this file: a screen that is added is added there too.
  test("axe finds nothing on any screen that the page declares", async () => {
    const sources = await Promise.all(
      ["root.tsx", "screens.tsx"].map((name) =>
        readFile(join(runContext().root, "packages", "web", "src", name), "utf8"),
      ),
    );
    const declared = sources.flatMap((source) =>
      [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path),
    );
    expect(declared.length).toBeGreaterThan(8);
    const left = declared.filter((path) => path !== undefined && ![...asked].some((one) => patternOf(path).test(one)));
    expect(left).toEqual([]);
  });
});

/** What an address matches that a route declares, such as `/servers/:serverId/settings/*?`. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/\/(?:\*|:\w+)\?/g, "(?:/.+)?").replaceAll(/:\w+/g, "[^/]+")}$`);

/** Asks axe about each section of settings. */
async function expectSections(page: Page, title: string | RegExp): Promise<void> {
  const links = page.getByRole("navigation", { name: title }).getByRole("link");
  await links.first().waitFor();
  for (const link of await links.all()) {
    const name = (await link.textContent()) ?? "";
    await link.click();
    await expectOpen(page, name, page.getByRole("heading", { name, level: 2 }));
  }
}
