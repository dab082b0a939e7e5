import { Bot, BotCommands, BotProfile, Command, errorBody as error, Member, Role } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let ann: UserClient;
let bob: UserClient;
let serverId: string;
let channelId: string;

const CreatedBot = z.strictObject({ bot: Bot.strict(), token: z.string(), discord_token: z.string() });
const Commands = z.strictObject({ commands: z.array(Command.strict()) });
const ChannelCommands = z.strictObject({
  bots: z.array(BotCommands.strict()),
  next_position: z.string().optional(),
});

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  const created = await createServerWithMembers(client, 1);
  ann = created.owner;
  [bob] = created.members;
  serverId = created.server.id;
  channelId = created.channel.id;
});

async function createBot(owner: UserClient, name = "Chess") {
  const { bot, token } = (await owner.post("/bots", { name })).expect(201, CreatedBot);
  return { bot, token, client: client.withAuthorization(`Bot ${token}`) };
}
const add = (who: UserClient, botId: string, permissions = 0) =>
  who.post(`/servers/${serverId}/bots`, { bot_id: botId, permissions });
async function connectAll(user: UserClient) {
  const gateway = connectGateway(stack.edgeUrl, "", { query: `token=${user.accessToken}&v=2&members=all` });
  await gateway.ready;
  return gateway;
}
const play = { name: "play", description: "Begins a game" };

describe("adding a bot", () => {
  test("the keys of apps stand in a bot once one of them was set, and its profile is public only then", async () => {
    const { bot } = await createBot(ann);
    expect((await bob.get(`/bots/${bot.id}/profile`)).body).toEqual(error("Bot not found"));
    const own = (await ann.get(`/bots/${bot.id}/profile`)).expect(200, BotProfile.strict());
    expect(own).toMatchObject({ is_public: false, requested_permissions: 0, command_count: 0, server_count: 0 });
    const changed = (await ann.patch(`/bots/${bot.id}`, { is_public: true })).expect(200, Bot.strict());
    expect(changed).toEqual({ ...bot, is_public: true, requested_permissions: 0, interactions_url: null });
    (await bob.get(`/bots/${bot.id}/profile`)).expect(200, BotProfile.strict());
    for (const requested_permissions of [-1, 32_768, "1"]) {
      const refused = await ann.patch(`/bots/${bot.id}`, { requested_permissions });
      expect(refused.body).toEqual(error("requested_permissions must be between 0 and 32767"));
    }
  });

  test("a bot comes with a role of its own for what it is given, and what is wrong is said in order", async () => {
    const { bot } = await createBot(ann, "Rook");
    const refusals: [UserClient, string, number, number, string][] = [
      [await client.register(), bot.id, 0, 404, "Server not found"],
      [bob, bot.id, 0, 403, "You need the Manage Server permission to add bots"],
    ];
    for (const [who, id, permissions, status, text] of refusals) {
      const answer = await add(who, id, permissions);
      expect([answer.status, answer.body]).toEqual([status, error(text)]);
    }
    const gateway = await connectAll(bob);
    const member = (await add(ann, bot.id, 3)).expect(201, Member.strict());
    expect(member).toMatchObject({ user_id: bot.user_id, is_bot: true, roles: [{ name: "Rook", position: 0 }] });
    await gateway.waitFor("MEMBER_ROLE_ADD", ({ user_id }) => user_id === bot.user_id);
    await gateway.close();
    const roles = (await ann.get(`/servers/${serverId}/roles`)).expect(200, z.array(Role));
    expect(roles.find(({ name }) => name === "Rook")?.permissions).toBe(3);
    expect((await add(ann, bot.id)).body).toEqual(error("Already a member of this server"));
    const log = (await ann.get(`/servers/${serverId}/audit-logs?action=bot_add`)).expect(
      200,
      z.array(z.looseObject({})),
    );
    expect(log).toMatchObject([{ target_id: bot.user_id, details: { bot_id: bot.id, permissions: 3 } }]);
  });

  test("nobody gives a bot what they may not do, adds one that is not public or revoked, or a banned one", async () => {
    const role = (await ann.post(`/servers/${serverId}/roles`, { name: "host", permissions: 4096 })).expect(201, Role);
    await ann.put(`/servers/${serverId}/members/${bob.user.id}/roles/${role.id}`);
    const { bot } = await createBot(ann, "Queen");
    expect((await add(bob, bot.id, 8192)).body).toEqual(error("Cannot grant permissions you do not have"));
    expect((await add(bob, bot.id)).body).toEqual(error("Bot not found"));
    await ann.patch(`/bots/${bot.id}`, { is_public: true });
    await ann.post(`/servers/${serverId}/members/${bot.user_id}/ban`, {});
    expect((await add(bob, bot.id)).body).toEqual(error("You are banned from this server"));
    await ann.delete(`/bots/${bot.id}`);
    expect((await add(bob, bot.id)).body).toEqual(error("This bot has been revoked"));
  });
});

describe("commands of a bot", () => {
  test("a command keeps its id while its name and context stay, and absent keys are null", async () => {
    const bot = await createBot(ann);
    const option = { name: "opening", description: "Which", type: "string" };
    const put = async (commands: object[]) =>
      (await bot.client.put("/bots/@me/commands", { commands })).expect(200, Commands).commands;
    const first = await put([
      { ...play, options: [option] },
      { ...play, context: "user" },
    ]);
    const nulls = { required: false, choices: null, min: null, max: null, autocomplete: false };
    expect(first).toMatchObject([
      { ...play, context: "server", options: [{ ...option, ...nulls }], default_permissions: null },
      { ...play, context: "user", options: [] },
    ]);
    const second = await put([
      { name: "new", description: "x" },
      { ...play, description: "Other" },
    ]);
    expect(second.map(({ id }) => id)).toEqual([expect.not.stringMatching(first[0]?.id ?? ""), first[0]?.id]);
    expect((await bot.client.get("/bots/@me/commands")).expect(200, Commands).commands).toEqual(second);
    const renamed = await put([
      { ...play, name: "begin", former_name: "play" },
      { name: "newer", description: "x", former_name: "new" },
      { name: "new", description: "x" },
    ]);
    const [begun, newer, kept] = renamed.map(({ id }) => id);
    expect([begun, kept]).toEqual([second[1]?.id, second[0]?.id]);
    expect([begun, kept]).not.toContain(newer);
    const taken = await put([{ name: "new", description: "x", former_name: "begin" }]);
    expect(taken.map(({ id }) => id)).toEqual([kept]);
    expect((await ann.put("/bots/@me/commands", { commands: [] })).body).toEqual(
      error("Only bots can use this endpoint"),
    );
  });

  const option = (fields: object) => ({
    ...play,
    options: [{ name: "a", description: "b", type: "string", ...fields }],
  });
  test.each<[object[] | object, RegExp]>([
    [{}, /^commands: /],
    [[play, { ...play, name: "No" }], /^commands\[1\]\.name: must be 1-32/],
    [[play, play], /^commands\[1\]\.name: must be unique/],
    [[{ ...play, description: "" }], /^commands\[0\]\.description: /],
    [[{ ...play, context: "channel" }], /^commands\[0\]\.context: /],
    [[option({ name: "A" })], /^commands\[0\]\.options\[0\]\.name: /],
    [[option({ type: "date" })], /^commands\[0\]\.options\[0\]\.type: /],
    [[option({ type: "integer", choices: [{ name: "x", value: 1.5 }] })], /options\[0\]\.choices\[0\]\.value: /],
    [[option({ min: 3, max: 2 })], /options\[0\]\.max: /],
    [[option({ type: "user", min: 1 })], /options\[0\]\.min: /],
    [[{ ...option({}), context: "user" }], /^commands\[0\]\.options: /],
    [
      [
        {
          ...play,
          options: [
            { name: "a", description: "b", type: "string" },
            { name: "c", description: "b", type: "user", required: true },
          ],
        },
      ],
      /options\[1\]\.required: required options come first/,
    ],
    [Array.from({ length: 101 }, (_, index) => ({ ...play, name: `c${index}` })), /^commands: /],
  ])("the fault in %j is named by its path", async (commands, fault) => {
    const bot = await createBot(await client.register());
    const answer = await bot.client.put("/bots/@me/commands", { commands });
    expect([answer.status, answer.body]).toMatchObject([400, { code: "commands_invalid" }]);
    expect(z.object({ error: z.string() }).parse(answer.body).error).toMatch(fault);
  });

  test("a channel lists the commands of bots in pages of about a megabyte, which follow each other", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const command = { description: "é".repeat(100), name: "c" };
    const choices = Array.from({ length: 25 }, (_, value) => ({
      name: `${value} ${"é".repeat(90)}`,
      value: `${value}`,
    }));
    const options = [0, 1].map((index) => ({ ...command, name: `o${index}`, type: "string", choices }));
    const commands = Array.from({ length: 23 }, (_, index) => ({ ...command, name: `c${index}`, options }));
    const added = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (index) => {
        const { bot, client: asBot } = await createBot(owner, `Large ${index}`);
        (await asBot.put("/bots/@me/commands", { commands })).expect(200, Commands);
        (await owner.post(`/servers/${server.id}/bots`, { bot_id: bot.id, permissions: 0 })).expect(201, Member);
        return bot.user_id;
      }),
    );
    const listed: string[][] = [];
    let position: string | undefined = "";
    while (position !== undefined) {
      const query = position === "" ? "" : `?position=${position}`;
      const answer = await owner.get(`/channels/${channel.id}/commands${query}`);
      const page = answer.expect(200, ChannelCommands);
      expect(JSON.stringify(page).length).toBeLessThan(1_100_000);
      listed.push(page.bots.map(({ bot_user_id }) => bot_user_id));
      for (const bot of page.bots)
        expect(bot.commands.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
      position = page.next_position;
    }
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.flat()).toEqual(added);
    const refused = await owner.get(`/channels/${channel.id}/commands?position=x`);
    expect([refused.status, refused.body]).toEqual([400, error("Invalid position")]);
  });

  test("a channel lists the commands of bots that see it, and members hear whenever one comes, changes or goes", async () => {
    const bot = await createBot(ann, "Pawn");
    await bot.client.put("/bots/@me/commands", {
      commands: [play, { name: "reset", description: "Resets", default_permissions: 4 }],
    });
    const gateway = await connectAll(bob);
    let since = 0;
    const heard = async () => {
      const update = await gateway.waitFor("COMMANDS_UPDATE", ({ bot_user_id }) => bot_user_id === bot.bot.user_id, {
        since,
      });
      since = gateway.mark();
      return update;
    };
    const listed = async (who: UserClient) =>
      (await who.get(`/channels/${channelId}/commands`))
        .expect(200, ChannelCommands)
        .bots.filter(({ bot_user_id }) => bot_user_id === bot.bot.user_id)
        .flatMap(({ commands }) => commands.map(({ name }) => name));
    (await add(ann, bot.bot.id)).expect(201, Member);
    expect(await heard()).toEqual({ server_id: serverId, bot_user_id: bot.bot.user_id });
    expect([await listed(ann), await listed(bob)]).toEqual([["play", "reset"], ["play"]]);
    await bot.client.put("/bots/@me/commands", { commands: [play] });
    await heard();
    expect(await listed(ann)).toEqual(["play"]);
    await ann.put(`/channels/${channelId}/overrides`, { user_id: bot.bot.user_id, allow: 0, deny: 1 });
    expect(await listed(ann)).toEqual([]);
    await ann.post(`/servers/${serverId}/members/${bot.bot.user_id}/kick`, {});
    await heard();
    (await add(ann, bot.bot.id)).expect(201, Member);
    await heard();
    await ann.delete(`/bots/${bot.bot.id}`);
    await heard();
    await gateway.close();
  });
});
