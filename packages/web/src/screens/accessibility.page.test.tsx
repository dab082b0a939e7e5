import type { BotProfile, DmMessage } from "@parley/client";
import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { act, actInMenu, chooseInRow, composer, menuOf, messageWith } from "../page-stage/conversation.js";
import type { FakeServer } from "../page-stage/fake-server.js";
import { findingsInBothSchemes } from "../page-stage/findings.js";
import {
  type Community,
  channel,
  channelPath,
  community,
  directChannel,
  heldRole,
  madeAt,
  message,
  newId,
  role,
  user,
} from "../page-stage/fixtures.js";
import { answerInbox, inboxItem } from "../page-stage/inbox.js";
import { gone, shown } from "../page-stage/seeing.js";
import { answerAccount, answerAdministration, answerServerSettings } from "../page-stage/settings-lists.js";
import { type Visit, visit } from "../page-stage/stage.js";
import { world } from "../page-stage/world.js";
import rootSource from "../root.tsx?raw";
import screensSource from "../screens.tsx?raw";

// In dark and in light colours axe finds nothing. A running call is in tools/e2e/src/web/voice.test.ts.

/** Below `/app`: the addresses about which axe was asked. */
const asked = new Set<string>();

/** Asks axe about the screen that stands there once the element is visible. */
async function expectOpen(screen: string, element: Locator): Promise<void> {
  await shown(element.first());
  asked.add(location.pathname.replace("/app", ""));
  expect.soft(await findingsInBothSchemes(), screen).toEqual([]);
}

/** Runs axe on an element that has opened above the page, and closes it. */
async function expectAbove(name: string, element: Locator): Promise<void> {
  await expectOpen(name, element);
  await userEvent.keyboard("{Escape}");
  await gone(element);
}

/** Asks axe about each section of settings. */
async function expectSections(title: string | RegExp): Promise<void> {
  const links = page.getByRole("navigation", { name: title }).getByRole("link");
  await shown(links.first());
  // A link's name grows by its badge.
  for (const [index, { firstChild }] of links.elements().entries()) {
    const name = firstChild?.textContent ?? "";
    await links.nth(index).click();
    await expectOpen(name, page.getByRole("heading", { name, level: 2 }));
  }
}

const heading = (name: string | RegExp) => page.getByRole("heading", { name });
const dialog = () => page.getByRole("dialog");
const row = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });
const chess: BotProfile = {
  ...{ id: newId(), user_id: newId(), name: "Chess", description: "Plays chess", avatar_url: null, is_public: true },
  ...{ requested_permissions: 6, command_count: 0, server_count: 0 },
};
const code = "Qu33nSid";

/** Ada's page, where there is one of everything. */
async function openEverything(pathIn: (club: Community) => string, options: Visit = {}) {
  const [ada, ben] = [user("ada", { is_admin: true }), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const lounge = { type: "voice", category: "Voices", topic: "Talk", position: 1 } as const;
  club.channels.push(channel(club.server, "lounge", lounge));
  // Dark on dark and light on light, unless the page changes them.
  const colors = ["#000080", "#ffffe0"].map((color) => role(club.server, { name: `Role ${color}`, color }));
  club.roles.push(...colors);
  club.members = club.members.map((one, index) => ({ ...one, roles: colors.slice(index, index + 1).map(heldRole) }));
  const mention = `@${ada.username} a **mention** with \`code\` and https://example.org`;
  const poll = { id: newId(), question: "Which?", total_votes: 0, user_vote: null };
  const choices = ["Monday", "Friday"].map((text) => ({ id: newId(), text, votes: 0 }));
  club.messages[general.id] = [
    message(general, ben, mention, { mention_user_ids: [ada.id] }),
    message(general, ada, "```\nlet board;\n```\n> quoted\n\n1. one\n2. two"),
    message(general, ada, "A message with everything", { reactions: [{ emoji: "👍", count: 1, me: false }] }),
    message(general, ada, "Which?", { poll: { ...poll, options: choices } }),
  ];
  const empty = community([ada], { name: "Nothing yet" });
  const direct = directChannel(ben);
  const written: DmMessage = {
    ...{ id: newId(), channel_id: direct.id, author_id: ben.id, content: "A word in private", edited_at: null },
    ...{ created_at: madeAt, reactions: [], attachments: [] },
    author: { id: ben.id, username: ben.username, nickname: null, avatar_url: null },
  };
  const there = world(ada, [club, empty], {
    directChannels: [direct],
    directMessages: { [direct.id]: [written] },
  });
  const stage = await visit(there, {
    ...options,
    path: pathIn(club),
    prepare(server: FakeServer) {
      answerServerSettings(server, club, ben);
      answerAccount(server);
      answerAdministration(server, ada);
      const mentions = (club.messages[general.id] ?? []).map((sent) => inboxItem(ben, sent, club.server.id));
      answerInbox(server, () => mentions);
      const channelsOf = (id = "") => (id === club.server.id ? club.channels : []);
      server.on("GET /servers/:id/channels", ({ params: { id } }) => channelsOf(id));
      server.on("GET /servers/browse", () => [club.server]);
      server.on("GET /channels/:id/messages/:message/thread", () => []);
      server.on("GET /search", () => {
        const author = { ...{ id: ben.id, username: ben.username }, nickname: null, avatar_url: null };
        const found = { ...message(general, ben, "A message"), author, server_id: club.server.id };
        const query = {
          terms: [],
          from: [],
          mentions: [],
          in: [],
          server: [],
          has: [],
          is: [],
          since: null,
          until: null,
        };
        const place = { channel_name: general.name, ranges: [[2, 7]], thread_root_id: null };
        return { results: [{ message: found, ...place }], total: 1, total_is_exact: true, next: null, query };
      });
      const preview = { code, server_name: "Chess club", server_icon_url: null, member_count: 2, online_count: 1 };
      server.on("GET /invites/:code/preview", () => ({ ...preview, expires_at: null }));
      server.on("GET /bots/:id/profile", () => chess);
    },
  });
  return { ...stage, ada, ben, club, empty, direct };
}
const inGeneral = ({ channels: [general] }: Community) => channelPath(general);
const inSettings = ({ server: { id } }: Community) => `/servers/${id}/settings`;

test("axe finds nothing on the screens without a session", async () => {
  const { goTo } = await visit(null);
  await expectOpen("login", heading("Log in to Parley"));
  goTo("/register");
  await expectOpen("register", heading("Create an account"));
  goTo("/reset-password");
  await expectOpen("reset", heading("Reset your password"));
});

test("axe finds nothing in a channel with its panels and dialogs", async () => {
  const { ben, club } = await openEverything(inGeneral);
  await shown(messageWith("A message with everything").getByRole("button", { name: /1 reaction/ }));
  await expectOpen("channel", composer());
  await act("A message with everything", "Reply in a thread");
  await expectOpen("thread", page.getByRole("textbox", { name: "Reply in the thread" }));
  await page.getByRole("button", { name: "Pinned messages" }).click();
  await expectOpen("pins", page.getByText("Nothing is pinned yet."));
  await actInMenu("A message with everything", "Delete");
  await expectAbove("deleting", dialog());
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  await expectAbove("emoji", page.getByRole("searchbox", { name: "Find an emoji" }));
  for (const [entry, name] of [
    ["Create a poll", "poll"],
    ["Plan an event", "event"],
  ] as const) {
    await page.getByRole("button", { name: "Poll, event, files" }).click();
    await expectOpen("menu", page.getByRole("menu"));
    await page.getByRole("menuitem", { name: entry }).click();
    await expectAbove(name, dialog());
  }
  await page.getByRole("button", { name: "Members" }).click();
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: ben.username }).click();
  await expectAbove("card", dialog().getByRole("button", { name: "Message", exact: true }));
  await userEvent.keyboard("{Control>}k{/Control}");
  await expectAbove("quick switcher", page.getByRole("dialog", { name: "Go to" }));
  await userEvent.keyboard("{Control>}/{/Control}");
  await expectAbove("shortcuts", page.getByRole("dialog", { name: "Keyboard shortcuts" }));
  await page.getByRole("button", { name: "Search" }).click();
  await dialog().getByRole("combobox").fill("message from:");
  await shown(dialog().getByRole("group", { name: club.server.name }).getByRole("option"));
  await shown(dialog().getByRole("group", { name: "Suggestions" }).getByRole("option").first());
  await expectAbove("search", dialog());
});

test("axe finds nothing around the channels", async () => {
  const { club, empty, goTo } = await openEverything(inGeneral);
  const { name, id } = club.server;
  for (const entry of ["Invite people", "Create a channel"]) {
    await page.getByRole("button", { name: `${name}: menu` }).click();
    await expectOpen("menu of the server", page.getByRole("menu"));
    await page.getByRole("menuitem", { name: entry }).click();
    await expectAbove(entry, dialog());
  }
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" }).click();
  await expectOpen("voice", page.getByRole("button", { name: "Join" }));
  await page.getByRole("button", { name: "Show the chat" }).click();
  await expectOpen("voice with its chat", composer());
  goTo(`/servers/${id}/channels/00000000-0000-4000-8000-000000000000`);
  await expectOpen("not found", heading("Page not found"));
  goTo(`/servers/${empty.server.id}`);
  await expectOpen("server without channels", heading("There are no channels here that you can see."));
  await page.getByRole("link", { name: "Direct messages" }).click();
  await expectOpen("direct messages", page.getByRole("navigation", { name: "Direct messages" }).getByRole("link"));
  await page.getByRole("link", { name: "Friends" }).click();
  await expectOpen("friends", page.getByRole("combobox", { name: "Add a friend by name" }));
  await page.getByRole("link", { name: "Inbox" }).click();
  await expectOpen("inbox", page.getByRole("list", { name: "Inbox" }).getByRole("listitem"));
  await page.getByRole("link", { name: "Discover servers" }).click();
  await expectOpen("browse", heading("Discover servers"));
});

test("axe finds nothing for a newcomer, who adds a server", async () => {
  await visit(world(user("newcomer")), { prepare: (server) => server.on("GET /server-templates", () => []) });
  await expectOpen("start", heading("Welcome to Parley"));
  await page.getByRole("main").getByRole("button", { name: "Add a server" }).click();
  await expectAbove("add a server", dialog());
});

test("axe finds nothing in direct messages and on an invite", async () => {
  const { direct, goTo } = await openEverything(inGeneral);
  goTo(`/dm/${direct.id}`);
  await expectOpen("direct message", messageWith("A word in private"));
  goTo(`/invite/${code}`);
  await expectOpen("invite", page.getByRole("main").getByRole("heading"));
  goTo(`/add-bot/${chess.id}`);
  await expectOpen("adding a bot", page.getByLabelText("Server", { exact: true }));
});

test("axe finds nothing in the settings of a server", async () => {
  const { club, ben, goTo } = await openEverything(inSettings);
  await expectSections(/^Settings of/);
  const settings = inSettings(club);
  goTo(`${settings}/roles`);
  await row("Role #000080").getByRole("button", { name: "Edit" }).click();
  await expectAbove("role", dialog());
  goTo(`${settings}/members`);
  await menuOf(row(ben.username)).click();
  await expectAbove("menu of a row", page.getByRole("menu"));
  await chooseInRow(row(ben.username), "Ban");
  await expectAbove("question", dialog());
  goTo(`${settings}/channels`);
  await chooseInRow(row("lounge"), "Permissions");
  await expectAbove("permissions", dialog());
  goTo(`${settings}/webhooks`);
  await chooseInRow(row("Bridge"), "Deliveries");
  await expectAbove("deliveries", dialog());
});

test("axe finds nothing in the settings of an account and of the installation", async () => {
  const { goTo } = await openEverything(() => "/account");
  await expectSections("My account");
  goTo("/admin");
  await expectSections("Administration");
});

test("axe finds nothing on a telephone", async () => {
  const { club, goTo } = await openEverything(inGeneral, { viewport: { width: 390, height: 800 } });
  await expectOpen("channel", composer());
  await page.getByRole("button", { name: "Servers and channels" }).click();
  await expectAbove("navigation", page.getByRole("navigation", { name: "Channels" }));
  await page.getByRole("button", { name: "Members" }).click();
  await expectOpen("members", page.getByRole("region", { name: "Members" }));
  goTo(`${inSettings(club)}/members`);
  await expectOpen("settings", page.getByRole("list", { name: "Members" }));
});

/** The pattern of the addresses of a route, such as `/servers/:serverId/settings/*?`. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/\/(?:\*|:\w+)\?/g, "(?:/.+)?").replaceAll(/:\w+/g, "[^/]+")}$`);

// Runs after the others of this file: a screen that is added is added there too.
test("axe finds nothing on any screen that the page declares", () => {
  const declared = [rootSource, screensSource].flatMap((source) =>
    [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path = ""]) => path),
  );
  expect(declared.length).toBeGreaterThan(8);
  expect(declared.filter((path) => ![...asked].some((one) => patternOf(path).test(one)))).toEqual([]);
});
