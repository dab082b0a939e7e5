import type { Attachment, AutomodConfig, AutomodWord, User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { channel, channelPath, community, madeAt, member, message, newId, user } from "../../page-stage/fixtures.js";
import { welcome } from "../../page-stage/login.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSettings } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// The page follows the changes of others, and those of its own user elsewhere, without another look.

const link = (name: string) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: new RegExp(name) });

/** Ben's page in #general of Ada's server, which has these channels, too. */
async function openGeneral(names: readonly string[] = []) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.channels = [general, ...names.map((name) => channel(club.server, name))];
  const there = world(ben, [club]);
  const stage = await visit(there, { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  return { stage, there, ada, ben, club, general, added: club.channels.slice(1) };
}

const { name: boardName, ...board } = { name: "board.png", file_size: 68, mime_type: "image/png" };

test("changes from another device are shown: profile, status and unread marks", async () => {
  const { stage, ada, ben, added } = await openGeneral(["news"]);
  const [news] = added;
  if (news === undefined) throw new Error("There are no news.");
  const panel = page.getByRole("region", { name: "You", exact: true });
  await shown(panel.getByRole("button", { name: ben.username }));
  const changed: User = { ...ben, status: "dnd" };
  stage.socket.event("USER_UPDATE", changed);
  await shown(panel.getByText("Do not disturb").first());

  const mention = message(news, ada, "Look at this. @everyone", { mention_everyone: true });
  stage.arrives(mention);
  await shown(link("news").filter({ hasText: /mention|unread/ }));
  await shown(link("news").filter({ hasText: "1 mention" }));
  // Read elsewhere.
  const read = { channel_id: news.id, last_read_at: madeAt, unread_count: 0, mention_count: 0 };
  stage.socket.event("READ_STATE_UPDATE", read);
  await gone(link("news").filter({ hasText: /mention|unread/ }));
  await shown(link("news"));

  // Read here: the other devices get it from the server.
  const created_at = "2026-01-02T03:05:00.000Z";
  stage.arrives(message(news, ada, "And at that. @everyone", { mention_everyone: true, created_at }));
  await shown(link("news").filter({ hasText: "1 mention" }));
  await link("news").click();
  await shown(messageWith("And at that."));
  await gone(link("news").filter({ hasText: /mention|unread/ }));
  const marked = () => stage.server.requests("POST /channels/:id/ack").map(({ path }) => path);
  await expect.poll(marked).toContain(`/channels/${news.id}/ack`);
});

test("a status that is chosen here reaches the server, and is shown", async () => {
  const { stage, there, ben } = await openGeneral();
  stage.server.on<Partial<User>>("PATCH /users/@me", ({ body }) => {
    there.me = { ...there.me, ...body };
    stage.socket.event("USER_UPDATE", there.me);
    return there.me;
  });
  const panel = page.getByRole("region", { name: "You", exact: true });
  await panel.getByRole("button", { name: ben.username }).click();
  await page.getByRole("menuitem", { name: "Do not disturb" }).click();
  await shown(panel.getByText("Do not disturb").first());
  expect(stage.server.requests("PATCH /users/@me").map(({ body }) => body)).toEqual([{ status: "dnd" }]);
});

test("channels that are made and renamed, and files that follow their message, are shown", async () => {
  const { stage, ada, club, added } = await openGeneral(["news"]);
  const [news] = added;
  if (news === undefined) throw new Error("There are no news.");
  const sent = message(news, ada, "Look at this.");
  club.messages[news.id] = [sent];
  await link("news").click();
  await shown(messageWith("Look at this."));
  await stage.settled();
  const file: Attachment = {
    ...{ id: newId(), message_id: sent.id, filename: boardName, ...board, width: 1, height: 1, created_at: madeAt },
    url: `/files/${sent.id}/${boardName}?expires=1&signature=0`,
  };
  stage.socket.event("ATTACHMENT_CREATE", { channel_id: news.id, message_id: sent.id, attachments: [file] });
  await shown(messageWith("Look at this.").getByRole("button", { name: `Open ${boardName}` }));

  stage.socket.event("CHANNEL_CREATE", channel(club.server, "endgames"));
  await shown(link("endgames"));
  stage.socket.event("CHANNEL_UPDATE", { ...news, name: "letters" });
  await shown(link("letters"));
  await shown(page.getByRole("heading", { name: "letters", level: 1 }));
});

test("a reader of a deleted channel gets a notice, and stands in another one", async () => {
  const { stage, club, general, added } = await openGeneral(["side-room"]);
  const [side] = added;
  if (side === undefined) throw new Error("There is no side room.");
  await link("side-room").click();
  await shown(page.getByRole("textbox", { name: "Message side-room" }));
  await stage.settled();
  club.channels = [general];
  stage.socket.event("CHANNEL_DELETE", { id: side.id, server_id: side.server_id });
  await shown(page.getByRole("status").filter({ hasText: "You no longer have access to #side-room." }));
  await shown(page.getByRole("heading", { name: general.name, level: 1 }));
  await gone(link("side-room"));
});

test("a server has its new name, joiners in its list of members, and is left when it is deleted", async () => {
  const { stage, there, ada, club } = await openGeneral();
  const list = page.getByRole("complementary", { name: "Members" });
  await shown(list.getByRole("button", { name: new RegExp(ada.username) }));
  const { member_count: _count, ...server } = club.server;
  stage.socket.event("SERVER_UPDATE", { ...server, name: "Chess club of Ghent" });
  await shown(page.getByRole("button", { name: "Chess club of Ghent: menu" }));

  const zoe = user("zoe");
  const entry = list.getByRole("button", { name: new RegExp(zoe.username) });
  stage.socket.event("MEMBER_JOIN", { server_id: server.id, member: member(zoe) });
  await shown(entry);
  stage.socket.event("MEMBER_LEAVE", { server_id: server.id, user_id: zoe.id, reason: "left" });
  await gone(entry);

  there.communities = [];
  stage.socket.event("SERVER_LEAVE", { server_id: server.id, reason: "deleted" });
  await shown(page.getByRole("status").getByText("You’re no longer in Chess club of Ghent, or it was deleted."));
  await shown(welcome());
});

test("a server that is joined on another device is there, and can be left here", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const there = world(ben);
  const stage = await visit(there, { path: "/dm" });
  await shown(welcome());
  await stage.settled();
  const { member_count: _count, ...server } = club.server;
  const entry = page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: new RegExp(server.name) });
  there.communities = [club];
  stage.socket.event("SERVER_JOIN", {
    ...{ server, roles: [club.everyone], channel_overrides: {} },
    member: member(ben),
  });
  await entry.click();
  await shown(composer());
  stage.server.on("DELETE /servers/:id/leave", () => {
    there.communities = [];
    stage.socket.event("SERVER_LEAVE", { server_id: server.id, reason: "left" });
  });
  await page.getByRole("button", { name: `${server.name}: menu` }).click();
  await page.getByRole("menuitem", { name: "Leave the server" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave the server" }).click();
  await shown(welcome());
  await gone(entry);
  expect(stage.server.requests("DELETE /servers/:id/leave").map(({ path }) => path)).toEqual([
    `/servers/${server.id}/leave`,
  ]);
});

test("settings that somebody else changes are shown, except in fields that the user is editing", async () => {
  const words: AutomodWord[] = [];
  let config: AutomodConfig | undefined;
  const { server, socket, club } = await openSettings("automod", (fresh, { server: { id } }) => {
    config = {
      ...{ server_id: id, enabled: false, spam_enabled: true, spam_max_messages: 5, spam_window_secs: 5 },
      ...{ spam_action: "delete", duplicate_enabled: false, word_filter_enabled: false, word_filter_action: "delete" },
      ...{ timeout_minutes: 10, updated_at: madeAt },
    };
    fresh.on("GET /servers/:id/automod", () => config);
    fresh.on("GET /servers/:id/automod/words", () => [...words]);
    fresh.on("GET /servers/:id/automod/rules", () => []);
    fresh.on("GET /servers/:id/automod/logs", () => []);
  });
  const change = (changes: Partial<AutomodConfig>) => {
    if (config === undefined) throw new Error("Nothing was read.");
    config = { ...config, ...changes };
    socket.event("SERVER_SETTINGS_UPDATE", { server_id: club.server.id, part: "automod" });
    return config;
  };
  server.on<Partial<AutomodConfig>>("PATCH /servers/:id/automod", ({ body }) => change(body));
  const minutes = page.getByRole("spinbutton", { name: "Timeout (minutes)" });
  const messages = page.getByRole("spinbutton", { name: "Messages", exact: true });
  await minutes.fill("77");
  const spam = page.getByRole("combobox", { name: "Action" }).first();
  change({ spam_max_messages: 9, timeout_minutes: 33, spam_action: "kick" });
  await expect.element(messages).toHaveValue(9);
  await expect.element(spam).toHaveValue("kick");
  await expect.element(minutes).toHaveValue(77);
  words.push({ id: newId(), server_id: club.server.id, word: "oxymoron", created_by: null, created_at: madeAt });
  change({});
  await shown(page.getByRole("button", { name: /^Remove oxymoron$/i }));

  await page.getByRole("region", { name: "Spam, repetition and words" }).getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  change({ timeout_minutes: 33 });
  await expect.element(minutes).toHaveValue(33);
});
