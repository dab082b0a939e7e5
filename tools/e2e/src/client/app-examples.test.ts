import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Permission } from "@parley/client";
import { waitUntil } from "@parley/testing";
import { afterEach, expect, test } from "vitest";
import { type AppBotStage, createAppBotStage, newcomer, patience } from "./app-bot-stage.js";
import { type Example, startExample } from "./example-process.js";

const running: Example[] = [];
afterEach(async () => {
  for (const example of running.splice(0)) await example.stop();
});

/** Runs an example as the bot of the stage. */
async function start(name: string, { baseUrl, token }: AppBotStage, cwd?: string) {
  const example = startExample(name, { PARLEY_URL: baseUrl, BOT_TOKEN: token }, cwd);
  running.push(example);
  await waitUntil(() => example.log.includes("Connected"), patience);
  return example;
}

test("the reminder bot sends a reminder once its time has come, also when it was dead then", async () => {
  const stage = await createAppBotStage();
  const { cwd, example, exited, log } = await start("reminder-bot.mjs", stage);
  const remind = async (when: string, text: string) => (await stage.use("remind", { in: when, text })).message?.content;
  expect(await remind("soon", "x")).toBe("Say when, such as 10m, up to 20d.");
  expect(await remind("21d", "x")).toBe("Say when, such as 10m, up to 20d.");
  expect(await remind("1s", "tea")).toBe("I remind you in 1s.");
  const { username } = await stage.member.users.me();
  await waitUntil(async () => (await stage.said()).length > 0, patience);
  expect(await stage.said()).toEqual([`@${username} tea`]);
  await waitUntil(() => readFileSync(join(cwd, "reminders.json"), "utf8") === "[]", patience);
  await remind("2s", "cake");
  await remind("1d", "later");
  example.kill("SIGKILL");
  await exited;
  await start("reminder-bot.mjs", stage, cwd);
  await waitUntil(async () => (await stage.said()).length === 2, patience);
  expect(await stage.said()).toEqual([`@${username} tea`, `@${username} cake`]);
  await waitUntil(() => JSON.parse(readFileSync(join(cwd, "reminders.json"), "utf8")).length === 1, patience);
  expect(log.filter((line) => line.includes("failed"))).toEqual([]);
});

test("the role picker gives a role by a button and takes it off, but none that is above it", async () => {
  const stage = await createAppBotStage({ permissions: Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES });
  const { owner, serverId, memberId } = stage;
  const role = (name: string, position: number, permissions = 0) =>
    owner.roles.create(serverId, { name, position, permissions });
  const picker = await role("Picker", 5, Permission.MANAGE_ROLES);
  await owner.roles.assign(serverId, stage.bot.userId, picker.id);
  const [red, high] = [await role("Red", 1), await role("High", 6)];
  const { log } = await start("role-picker-bot.mjs", stage);
  await waitUntil(() => log.includes("Commands registered: rolepicker"), patience);
  const { commands } = (await owner.commands.list(stage.channelId)).bots[0] ?? {};
  expect((await stage.member.commands.list(stage.channelId)).bots).toEqual([]);
  const command_id = commands?.[0]?.id ?? "";
  const asked = await stage.begin({ bot_user_id: stage.bot.userId, command_id, options: { text: "Colour?" } }, owner);
  const select = { values: [red.id, high.id], who: owner };
  expect((await stage.press(asked.message?.id ?? "", "roles", select)).message?.content).toBe("Done.");
  const [sent] = await owner.messages.list(stage.channelId);
  expect([sent?.content, sent?.components?.flat().map((each) => "label" in each && each.label)]).toEqual([
    "Colour?",
    ["High", "Red"],
  ]);
  const pick = async (id: string) => (await stage.press(sent?.id ?? "", `role:${id}`)).message?.content;
  const roles = async () => (await owner.members.get(serverId, memberId)).roles.map(({ name }) => name);
  expect([await pick(red.id), await roles()]).toEqual(["You have the role.", ["Red"]]);
  expect([await pick(red.id), await roles()]).toEqual(["You do not have the role any more.", []]);
  expect([await pick(high.id), await roles()]).toEqual([expect.stringContaining("This does not work: Cannot"), []]);
});

test("the poll form makes a poll of the submitted texts", async () => {
  const stage = await createAppBotStage();
  await start("poll-form-bot.mjs", stage);
  const asked = await stage.use("poll");
  const short = await stage.handIn(asked, { question: "Tea?", options: "Yes\n\n Yes " });
  expect(short.message).toMatchObject({ content: "A poll has 2 to 10 options.", ephemeral: true });
  const { id } = await stage.handIn(asked, { question: "Tea?", options: "Yes\n No\n\nPerhaps" });
  const { username } = await stage.member.users.me();
  await stage.until(id, ({ message }) => message?.content === `${username}, your poll is open.`);
  const polls = (await stage.member.messages.list(stage.channelId)).flatMap(({ poll }) => poll ?? []);
  expect(polls).toMatchObject([{ question: "Tea?", options: [{ text: "Yes" }, { text: "No" }, { text: "Perhaps" }] }]);
});

test("the ticket desk opens a channel that its invoker and the team see, and they close it", async () => {
  const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS } = Permission;
  const stage = await createAppBotStage({ permissions: VIEW_CHANNEL | SEND_MESSAGES | MANAGE_CHANNELS });
  const { owner, member, serverId, channelId } = stage;
  const other = await newcomer(stage.baseUrl);
  await other.servers.join(serverId);
  const { log } = await start("ticket-bot.mjs", stage);
  await waitUntil(() => log.includes("Commands registered: ticketdesk"), patience);
  const command_id = (await owner.commands.list(channelId)).bots[0]?.commands[0]?.id ?? "";
  const desk = await stage.begin({ bot_user_id: stage.bot.userId, command_id, options: {} }, owner);
  const asked = await stage.press(desk.message?.id ?? "", "ticket:open");
  const { id } = await stage.handIn(asked, { about: "My rook is gone" });
  const answered = await stage.until(id, ({ state }) => state === "answered");
  const name = /^Your ticket is #(ticket-\w+)\.$/.exec(answered.message?.content ?? "")?.[1];
  const find = async (who: typeof owner) => (await who.channels.list(serverId)).find((each) => each.name === name);
  const ticket = await find(member);
  expect(ticket).toMatchObject({ category: "Tickets" });
  expect([(await find(owner))?.id, await find(other)]).toEqual([ticket?.id, undefined]);
  const where = ticket?.id ?? "";
  const [first] = await member.messages.list(where);
  expect(first?.embeds).toMatchObject([{ title: "Ticket", description: "My rook is gone" }]);
  await member.messages.send(where, { content: "It stood on a1" });
  const close = `ticket:close:${stage.memberId}`;
  // Somebody who sees it, but neither has opened it nor may manage channels.
  await owner.overrides.put(where, {
    user_id: (await other.users.me()).id,
    allow: VIEW_CHANNEL | SEND_MESSAGES,
    deny: 0,
  });
  const refused = await stage.press(first?.id ?? "", close, { who: other, where });
  expect(refused.message).toMatchObject({ content: "This is not your ticket.", ephemeral: true });
  await stage.press(first?.id ?? "", close, { where });
  await waitUntil(async () => (await find(owner)) === undefined, patience);
});

test("the feed says in its channel what GitHub sends to the address, until it is ended", async () => {
  const stage = await createAppBotStage({ permissions: Permission.ADMINISTRATOR });
  const { owner, channelId } = stage;
  const { log } = await start("github-feed-bot.mjs", stage);
  await waitUntil(() => log.includes("Commands registered: github"), patience);
  const command_id = (await owner.commands.list(channelId)).bots[0]?.commands[0]?.id ?? "";
  const ask = (repository: string) =>
    stage.begin({ bot_user_id: stage.bot.userId, command_id, options: { repository } }, owner);
  expect((await ask("chess")).message?.content).toBe("A repository is owner/name.");
  const asked = await ask("ann/chess");
  expect(asked.message).toMatchObject({ ephemeral: true });
  const address = /^Payload URL: (\S+)$/m.exec(asked.message?.content ?? "")?.[1] ?? "";
  const body = JSON.stringify({
    action: "created",
    sender: { login: "ann", html_url: "https://github.com/ann", avatar_url: "https://github.com/ann.png" },
    repository: { full_name: "ann/chess", html_url: "https://github.com/ann/chess" },
  });
  const headers = { "content-type": "application/json", "x-github-event": "star" };
  const post = async () => (await fetch(address, { method: "POST", body, headers })).status;
  expect(await post()).toBe(204);
  const [sent] = await owner.messages.list(channelId);
  expect(sent?.webhook?.name).toBe("GitHub ann/chess");
  expect(JSON.stringify(sent?.embeds)).toContain("ann/chess");
  const custom = asked.message?.components?.flat()[0]?.custom_id ?? "";
  const ended = await stage.press(asked.message?.id ?? "", custom, { who: owner });
  expect(ended.message?.content).toBe("Nothing is said any more.");
  expect(await post()).toBe(404);
});

test("the bot without a connection answers signed requests, and no others", async () => {
  const stage = await createAppBotStage();
  const { owner, baseUrl, token, bot } = stage;
  const serve = async (secret: string, port = "0") => {
    const env = { PARLEY_URL: baseUrl, BOT_TOKEN: token, INTERACTIONS_SECRET: secret, PORT: port };
    const example = startExample("http-bot.mjs", env);
    running.push(example);
    await waitUntil(() => example.lines.length === 1, patience);
    return { example, port: example.lines[0]?.split(" ").at(-1) ?? "" };
  };
  const first = await serve("");
  const interactions_url = `http://127.0.0.1:${first.port}/`;
  const { interactions_secret = "" } = await owner.bots.update(bot.id, { interactions_url });
  expect((await fetch(interactions_url, { method: "POST", body: "{}" })).status).toBe(401);
  await first.example.stop();
  await serve(interactions_secret, first.port);
  const { username } = await stage.member.users.me();
  expect((await stage.use("coin")).message?.content).toMatch(new RegExp(`^(Heads|Tails) for ${username}$`));
});
