import { Invite } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createRole,
  createServer,
  joinServer,
  type Page,
  postMessage,
  type RestClient,
  type UserClient,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { menuOf } from "./row-menu.js";
import { take, telephone } from "./screenshot-stage.js";
import { channelPath, composer, messageWith, useWebStage } from "./web-stage.js";

const stage = useWebStage();
let ada: UserClient;
let path: string;
/** Address of the settings of its server, below `/app`. */
let settings: string;

beforeAll(async () => {
  ({ ada, path } = await fillClub(stage.client));
  settings = `${path.split("/channels/")[0]}/settings`;
});

/** A server in which people have talked. */
async function fillClub(client: RestClient): Promise<{ ada: UserClient; path: string }> {
  const [owner, ben, cleo, dirk] = await Promise.all(
    ["ada", "ben", "cleo", "dirk"].map((username) => client.register({ username })),
  );
  if (owner === undefined || ben === undefined || cleo === undefined || dirk === undefined) throw new Error("Nobody");
  const server = await createServer(owner, { name: "Chess club", is_public: true });
  await createServer(owner, { name: "Gardeners" });
  for (const user of [ben, cleo, dirk]) await joinServer(user, server.id);
  const channel = await createChannel(owner, server.id, { name: "general", topic: "Everything about the club" });
  for (const name of ["openings", "endgames"]) await createChannel(owner, server.id, { name, category: "Study" });
  const results = await createChannel(owner, server.id, { name: "results", category: "Tournament" });
  await createChannel(owner, server.id, { name: "lounge", type: "voice", category: "Voice" });
  for (const [user, name, color] of [
    [owner, "Board", "#e67e22"],
    [cleo, "Arbiter", "#2e86de"],
    [ben, "Youth team", "#27ae60"],
  ] as const) {
    await assignRole(owner, await createRole(owner, server.id, { name, color, permissions: 4 }), user);
  }
  await owner.patch("/users/@me", { custom_status: "Preparing round 3" });

  const say = (user: UserClient, content: string) => postMessage(user, channel.id, content);
  await say(
    owner,
    "Round 3 is on **Friday at seven**. Pairings:\n\n| Board | White | Black |\n|---|---|---|\n| 1 | Ben | Cleo |\n| 2 | Dirk | Ada |",
  );
  const { id } = await say(ben, "White again, finally! ♞");
  for (const [user, emoji] of [
    [owner, "♥"],
    [cleo, "😄"],
    [dirk, "♥"],
  ] as const) {
    await user.put(`/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent(emoji)}`);
  }
  await cleo.post(`/channels/${channel.id}/messages`, { content: "We will see about that.", reply_to: id });
  const question = await say(dirk, "How do you meet `1. d4 f5 2. e4`, the Staunton Gambit?");
  await cleo.post(`/channels/${channel.id}/messages/${question.id}/thread`, {
    content: "Take it, and give it back in time",
  });
  await say(cleo, "```\n1. d4 f5\n2. e4 fxe4\n3. Nc3 Nf6\n```\nThen *calmly* develop.");
  await owner.post(`/channels/${channel.id}/polls`, {
    question: "Analysis afterwards?",
    options: ["In the bar", "At the club"],
  });
  await say(ben, `@${owner.username} can I bring a guest?`);
  await postMessage(dirk, results.id, `@${owner.username} please check board 4`);
  return { ada: owner, path: channelPath(channel) };
}

/** Waits for the reads behind the messages: reactions, and the names of authors. */
async function untilDrawn(page: Page): Promise<void> {
  await messageWith(page, "White again")
    .getByRole("button", { name: /2 reactions/ })
    .waitFor();
  await messageWith(page, "calmly").getByRole("button", { name: "cleo", exact: true }).waitFor();
  const unnamed = page.getByRole("region", { name: "Messages" }).getByText("…", { exact: true });
  await expect.poll(() => unnamed.count()).toBe(0);
}

test.each(["dark", "light"] as const)("a channel in %s colours", async (colorScheme) => {
  const page = await stage.visit(ada, { path, colorScheme });
  await untilDrawn(page);
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: "dirk" }).waitFor();
  await take(page, `channel-${colorScheme}`);
  await page.context().close();
});

test("a channel and the way to others on a telephone", async () => {
  const page = await stage.visit(ada, { path, viewport: telephone });
  await composer(page).waitFor();
  await untilDrawn(page);
  await take(page, "telephone");
  await page.getByRole("button", { name: "Servers and channels" }).click();
  await page.getByRole("navigation", { name: "Channels" }).waitFor();
  await take(page, "telephone-channels");
  await page.context().close();
});

test("the settings of a server, dark and light, wide and on a telephone", async () => {
  const page = await stage.visit(ada, { path: `${settings}/roles` });
  await page.getByRole("listitem").filter({ hasText: "Arbiter" }).waitFor();
  await take(page, "settings");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(`${stage.stack.edgeUrl}/app${settings}/overview`);
  await page.getByRole("region", { name: "Delete the server" }).waitFor();
  await take(page, "settings-wide");
  await page.setViewportSize(telephone);
  await page.goto(`${stage.stack.edgeUrl}/app${settings}/members`);
  const cleo = page.getByRole("listitem").filter({ hasText: "cleo" });
  await cleo.getByText("Arbiter").waitFor();
  await menuOf(cleo).click();
  await page.getByRole("menu").waitFor();
  await take(page, "telephone-settings");
  await page.context().close();
});

test("a voice channel, a thread and the card of a member", async () => {
  const page = await stage.visit(ada, { path });
  await untilDrawn(page);
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" }).click();
  await page.getByText("Nobody is here yet.").waitFor();
  await take(page, "voice");
  await page.goBack();
  await untilDrawn(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: /^1 reply/ }).click();
  await page.getByRole("complementary", { name: "Thread" }).getByText("give it back in time").waitFor();
  await take(page, "thread");
  await page.getByRole("button", { name: "Members" }).click();
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: "cleo" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Message", exact: true }).waitFor();
  await take(page, "card");
  await page.context().close();
});

test("the login, and an invite for a stranger on a telephone", async () => {
  const { code } = (await ada.post(`/servers/${settings.split("/")[2]}/invites`, {})).expect(201, Invite);
  const stranger = await stage.visit(null);
  await stranger.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  await take(stranger, "login");
  await stranger.context().close();
  const guest = await stage.visit(null, { path: `/invite/${code}`, viewport: telephone, colorScheme: "light" });
  await guest.getByText("Chess club").first().waitFor();
  await take(guest, "telephone-invite");
  await guest.context().close();
});

test("the page from right to left, in Arabic", async () => {
  const [layla, omar] = await Promise.all(["layla", "omar"].map((username) => stage.client.register({ username })));
  if (layla === undefined || omar === undefined) throw new Error("Nobody");
  const server = await createServer(layla, { name: "نادي الشطرنج", is_public: true });
  await joinServer(omar, server.id);
  const channel = await createChannel(layla, server.id, { name: "عام", topic: "كل ما يخص النادي" });
  await createChannel(layla, server.id, { name: "الافتتاحيات", category: "دراسة" });
  await createChannel(layla, server.id, { name: "الصالة", type: "voice", category: "صوت" });
  await assignRole(layla, await createRole(layla, server.id, { name: "حكم", color: "#27ae60", permissions: 4 }), omar);
  await postMessage(layla, channel.id, "الجولة الثالثة يوم **الجمعة** في السابعة مساءً.");
  const { id } = await postMessage(omar, channel.id, "الأبيض مرة أخرى! ♞");
  await layla.put(`/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent("♥")}`);
  await layla.post(`/channels/${channel.id}/messages`, { content: "سنرى ذلك على الرقعة.", reply_to: id });
  await postMessage(omar, channel.id, "كيف تردّ على `1. d4 f5 2. e4`؟");
  await layla.post(`/channels/${channel.id}/polls`, {
    question: "تحليل بعد المباراة؟",
    options: ["في المقهى", "في النادي"],
  });
  const page = await stage.visit(layla, { path: channelPath(channel), locale: "ar" });
  const messages = page.locator("article");
  await messages.filter({ hasText: "الأبيض مرة أخرى" }).getByRole("button").filter({ hasText: "♥" }).waitFor();
  await messages.filter({ hasText: "سنرى ذلك" }).getByText("omar").waitFor();
  await messages.filter({ hasText: "1. d4 f5" }).getByRole("button", { name: "omar", exact: true }).waitFor();
  await take(page, "right-to-left");
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${stage.stack.edgeUrl}/app/servers/${server.id}/settings/overview`);
  await page.locator("[data-tone=danger]").waitFor();
  await take(page, "right-to-left-settings");
  await page.context().close();
});
