import { randomUUID } from "node:crypto";
import { Bot, BotLogEntry, errorBody as error, Message, User } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  joinServer,
  postMessage,
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

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  ann = await client.register();
});

const BotWithToken = z.strictObject({
  bot: Bot.strict(),
  token: z.string().regex(/^[0-9a-f]{64}$/),
  discord_token: z.string().regex(/^[\w-]+\.x\.[0-9a-f]{64}$/),
});
const Connected = z.strictObject({ access_token: z.string() });
const createBot = async (fields: object = {}) =>
  (await ann.post("/bots", { name: "Helper", ...fields })).expect(201, BotWithToken);
const as = (authorization: string) => client.withAuthorization(authorization);
const connect = async (token: string) =>
  (await as(`Bot ${token}`).post("/bots/connect")).expect(200, Connected).access_token;

describe("creating a bot", () => {
  test("creating a bot answers with the bot and its token, and makes an account for it", async () => {
    const { bot, token } = await createBot({ name: "  Zoë's Bot! ", description: "Greets" });
    expect(bot).toEqual({
      id: expect.any(String),
      user_id: expect.any(String),
      name: "Zoë's Bot!",
      description: "Greets",
      created_by: ann.user.id,
      revoked_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
    const account = (await as(`Bot ${token}`).get("/users/@me")).expect(200, User.strict());
    expect(account).toMatchObject({ id: bot.user_id, email: null, status: "offline" });
    expect(account.username).toMatch(/^zoe-s-bot-bot-[0-9a-f]{8}$/);
    const login = await client.post("/auth/login", { username: account.username, password: "12345678" });
    expect(login.status).toBe(401);
  });

  const name = "Bot name must be 1-64 characters";
  const description = "Bot description must be at most 512 characters";
  const alphanumeric = "Bot name must contain at least one alphanumeric character";
  test.each<[object, string]>([
    [{ name: "" }, name],
    [{ name: " \t " }, name],
    [{ name: "x".repeat(65) }, name],
    [{ name: 1 }, name],
    [{}, name],
    [{ name: "-_-" }, alphanumeric],
    [{ name: "😀" }, alphanumeric],
    [{ name: "ok", description: "x".repeat(513) }, description],
    [{ name: "ok", description: 5 }, description],
  ])("a bot with %j is refused", async (body, text) => {
    const answer = await ann.post("/bots", body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test.each(["x".repeat(64), "ボット", "7", "é", "ﷺ".repeat(64)])(
    "a bot with the name %s is accepted",
    async (given) => {
      const { bot, token } = await createBot({ name: given, description: "" });
      expect([bot.name, bot.description]).toEqual([given, null]);
      (await as(`Bot ${token}`).get("/users/@me")).expect(200, User.strict());
    },
  );
});

describe("managing bots", () => {
  test("managing bots lists the caller's own, oldest first, revoked ones included", async () => {
    const eve = await client.register();
    const made = [];
    for (const name of ["one", "two", "three"]) {
      made.push((await eve.post("/bots", { name })).expect(201, BotWithToken).bot);
    }
    expect((await eve.delete(`/bots/${made[1]?.id}`)).status).toBe(204);
    const { bots } = (await eve.get("/bots")).expect(200, z.strictObject({ bots: z.array(Bot.strict()) }));
    expect(bots.map(({ name, revoked_at }) => [name, revoked_at !== null])).toEqual([
      ["one", false],
      ["two", true],
      ["three", false],
    ]);
  });

  test("changes name and description; null clears the description; the account keeps its name", async () => {
    const { bot, token } = await createBot({ description: "old" });
    const path = `/bots/${bot.id}`;
    expect((await ann.patch(path, {})).expect(200, Bot.strict())).toEqual(bot);
    const account = (await as(`Bot ${token}`).get("/users/@me")).expect(200, User);
    const renamed = (await ann.patch(path, { name: " New ", description: null })).expect(200, Bot.strict());
    expect(renamed).toEqual({ ...bot, name: "New", description: null });
    expect((await as(`Bot ${token}`).get("/users/@me")).expect(200, User).username).toBe(account.username);
    const refused = await ann.patch(path, { name: "!!!" });
    expect([refused.status, refused.body]).toEqual([
      400,
      error("Bot name must contain at least one alphanumeric character"),
    ]);
  });

  test("managing bots shows a bot to nobody but its creator", async () => {
    const { bot } = await createBot();
    const stranger = await client.register();
    const attempts: ["GET" | "PATCH" | "POST" | "DELETE", string][] = [
      ["GET", ""],
      ["PATCH", ""],
      ["GET", "/logs"],
      ["POST", "/token/regenerate"],
    ];
    for (const id of [bot.id, randomUUID()]) {
      for (const [method, path] of attempts) {
        const answer = await stranger.send(method, `/bots/${id}${path}`);
        expect([answer.status, answer.body]).toEqual([404, error("Bot not found")]);
      }
      const deletion = await stranger.delete(`/bots/${id}`);
      expect([deletion.status, deletion.body]).toEqual([404, error("Bot not found or already revoked")]);
    }
    expect((await ann.get("/bots/nonsense")).status).toBe(400);
  });

  test("managing bots is closed to bots before anything else is looked at", async () => {
    const { bot, token } = await createBot();
    const jwt = await connect(token);
    for (const authorization of [`Bot ${token}`, `Bearer ${jwt}`]) {
      for (const [method, path] of [
        ["POST", "/bots"],
        ["GET", "/bots"],
        ["GET", "/bots/not-a-uuid"],
        ["PATCH", `/bots/${bot.id}`],
        ["DELETE", `/bots/${bot.id}`],
        ["GET", `/bots/${bot.id}/logs`],
        ["POST", `/bots/${bot.id}/token/regenerate`],
      ] as const) {
        const answer = await as(authorization).send(method, path);
        expect([answer.status, answer.body]).toEqual([403, error("Bots cannot access bot management endpoints")]);
      }
    }
  });
});

describe("a bot in a server", () => {
  test("joins, writes, receives events like a member, and its client ops but HEARTBEAT are dropped", async () => {
    const stage = await createServerWithMembers(client, 0);
    const { bot, token } = await createBot();
    const botClient = as(`Bot ${token}`);
    await joinServer(botClient, stage.server.id);
    const [first, second] = stack.gateways;
    const botEars = connectGateway(first?.url ?? "", await connect(token));
    const ownerEars = connectGateway(second?.url ?? "", stage.owner.accessToken);
    await Promise.all([botEars.ready, ownerEars.ready]);
    await botEars.heartbeat();
    botEars.send("TYPING_START", { channel_id: stage.channel.id });
    await botEars.heartbeat();
    const message = await postMessage(botClient, stage.channel.id, "beep");
    expect(message.author_id).toBe(bot.user_id);
    for (const ears of [ownerEars, botEars]) {
      expect(await ears.waitFor("MESSAGE_CREATE")).toMatchObject({ ...message, author: { is_bot: true } });
    }
    await ownerEars.expectNone("TYPING_START");
    await Promise.all([botEars.close(), ownerEars.close()]);
  });

  test("a bot in a server is logged: creation, its latest fifty undeleted messages cut to 80 characters, revocation", async () => {
    const stage = await createServerWithMembers(client, 0);
    const { bot, token } = await createBot({ name: "Logged" });
    const botClient = as(`Bot ${token}`);
    await joinServer(botClient, stage.server.id);
    await postMessage(botClient, stage.channel.id, "the oldest falls out");
    for (let n = 0; n < 49; n += 1) await postMessage(botClient, stage.channel.id, `message ${n}`);
    const deleted = await postMessage(botClient, stage.channel.id, "deleted");
    await postMessage(botClient, stage.channel.id, "😀".repeat(81));
    expect((await botClient.delete(`/messages/${deleted.id}`)).status).toBe(204);
    expect((await ann.delete(`/bots/${bot.id}`)).status).toBe(204);
    const Logs = z.strictObject({ logs: z.array(BotLogEntry.strict()) });
    const { logs } = (await ann.get(`/bots/${bot.id}/logs`)).expect(200, Logs);
    expect(logs.map(({ event, detail }) => [event, detail])).toEqual([
      ["bot_revoked", "Bot token was revoked"],
      ["message_sent", "😀".repeat(80)],
      ...Array.from({ length: 49 }, (_, n) => ["message_sent", `message ${48 - n}`]),
      ["bot_created", 'Bot "Logged" was created'],
    ]);
    expect(logs.map(({ timestamp }) => timestamp)).toEqual(
      logs
        .map(({ timestamp }) => timestamp)
        .sort()
        .reverse(),
    );
    (await stage.owner.get(`/channels/${stage.channel.id}/messages`)).expect(200, z.array(Message));
  });
});
