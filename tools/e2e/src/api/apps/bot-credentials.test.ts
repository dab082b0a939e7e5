import { Bot, errorBody as error, User } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  type MortalStack,
  type RestClient,
  type UserClient,
  useMortalStack,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
let ann: UserClient;

beforeAll(async () => {
  ({ stack } = mortal);
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  ann = await client.register();
});

const BotWithToken = z.strictObject({
  bot: Bot.strict(),
  token: z.string().regex(/^[0-9a-f]{64}$/),
  discord_token: z.string().regex(/^[\w-]+\.x\.[0-9a-f]{64}$/),
});
const Connected = z.strictObject({ access_token: z.string() });
const createBot = async () => (await ann.post("/bots", { name: "Helper" })).expect(201, BotWithToken);
const as = (authorization: string) => client.withAuthorization(authorization);
const connect = async (token: string) =>
  (await as(`Bot ${token}`).post("/bots/connect")).expect(200, Connected).access_token;

describe("a bot's credentials", () => {
  test("the static token buys a JWT that is the bot everywhere; Bearer credentials do not", async () => {
    const { bot, token } = await createBot();
    const jwt = await connect(token);
    const own = (await createClient(stack.edgeUrl, { authorization: `Bearer ${jwt}` }).get("/users/@me")).expect(
      200,
      User,
    );
    expect(own.id).toBe(bot.user_id);
    for (const bearer of [ann.accessToken, jwt]) {
      const answer = await as(`Bearer ${bearer}`).post("/bots/connect");
      expect([answer.status, answer.body]).toEqual([403, error("Only bots can use this endpoint")]);
    }
    const unknown = await as(`Bot ${"0".repeat(64)}`).post("/bots/connect");
    expect([unknown.status, unknown.body]).toEqual([401, error("Invalid or revoked bot token")]);
  });

  /** Connections of a bot, by its token and a JWT, on every gateway; they have READY. */
  async function connectEverywhere(token: string) {
    const jwt = await connect(token);
    const connections = stack.gateways.flatMap(({ url }) => [
      connectGateway(url, jwt),
      connectGateway(url, "", { query: `bot_token=${token}` }),
    ]);
    await Promise.all(connections.map(({ ready }) => ready));
    return { jwt, connections };
  }
  const regenerate = async (botId: string) =>
    (await ann.post(`/bots/${botId}/token/regenerate`)).expect(200, BotWithToken);

  test("a new token replaces the old one and its JWTs at once, on every api", async () => {
    const { bot, token } = await createBot();
    const jwt = await connect(token);
    const fresh = await regenerate(bot.id);
    expect(fresh.bot).toEqual(bot);
    const freshJwt = await connect(fresh.token);
    for (const { url } of stack.apis) {
      const api = createClient(url);
      const old = await api.withAuthorization(`Bot ${token}`).get("/users/@me");
      expect([old.status, old.body]).toEqual([401, error("Invalid or revoked bot token")]);
      const oldJwt = await api.withAuthorization(`Bearer ${jwt}`).get("/users/@me");
      expect([oldJwt.status, oldJwt.body]).toEqual([401, error("Invalid or expired token")]);
      for (const authorization of [`Bot ${fresh.token}`, `Bearer ${freshJwt}`]) {
        expect((await api.withAuthorization(authorization).get("/users/@me")).status).toBe(200);
      }
    }
  });

  test("a new token ends the connections of the old one on every gateway, and none of its own", async () => {
    const { bot, token } = await createBot();
    let old = await connectEverywhere(token);
    for (let round = 0; round < 5; round += 1) {
      const fresh = await connectEverywhere((await regenerate(bot.id)).token);
      for (const { closed } of old.connections) expect((await closed).code).toBe(1000);
      for (const connection of fresh.connections) await connection.heartbeat();
      for (const { url } of stack.gateways) expect((await connectGateway(url, old.jwt).rejected).status).toBe(401);
      old = fresh;
    }
    await Promise.all(old.connections.map((connection) => connection.close()));
  });

  test("of new tokens of a bot that are asked for at once the last one is left, with its connections only", async () => {
    const { bot, token } = await createBot();
    const old = await connectEverywhere(token);
    const made = await Promise.all(
      [...stack.apis, ...stack.apis].map(async ({ url }) => {
        const owner = createClient(url).withAuthorization(`Bearer ${ann.accessToken}`);
        return (await owner.post(`/bots/${bot.id}/token/regenerate`)).expect(200, BotWithToken).token;
      }),
    );
    for (const { closed } of old.connections) expect((await closed).code).toBe(1000);
    const answers = await Promise.all(made.map((one) => as(`Bot ${one}`).get("/users/@me")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const left = made.find((_, index) => answers[index]?.status === 200) ?? "";
    const fresh = await connectEverywhere(left);
    for (const connection of fresh.connections) await connection.heartbeat();
    await Promise.all(fresh.connections.map((connection) => connection.close()));
  });

  /** Revokes a bot that has connections of both kinds on every gateway, and sees that nothing of it is taken any more. */
  async function revoke({ bot, token }: z.infer<typeof BotWithToken>): Promise<void> {
    const { jwt, connections } = await connectEverywhere(token);
    expect((await ann.delete(`/bots/${bot.id}`)).status).toBe(204);
    for (const { url } of stack.apis) {
      const api = createClient(url);
      const byToken = await api.withAuthorization(`Bot ${token}`).get("/users/@me");
      expect([byToken.status, byToken.body]).toEqual([401, error("Invalid or revoked bot token")]);
      const byJwt = await api.withAuthorization(`Bearer ${jwt}`).get("/users/@me");
      expect([byJwt.status, byJwt.body]).toEqual([401, error("Invalid or expired token")]);
    }
    for (const { closed } of connections) expect((await closed).code).toBe(1000);
    for (const { url } of stack.gateways) expect((await connectGateway(url, jwt).rejected).status).toBe(401);
  }

  test("a revoked bot is out at once, on every api and gateway, and for good", async () => {
    const created = await createBot();
    const { bot } = created;
    await revoke(created);

    const again = await ann.delete(`/bots/${bot.id}`);
    expect([again.status, again.body]).toEqual([404, error("Bot not found or already revoked")]);
    const update = await ann.patch(`/bots/${bot.id}`, { name: "New" });
    expect([update.status, update.body]).toEqual([400, error("Cannot update a revoked bot")]);
    const token2 = await ann.post(`/bots/${bot.id}/token/regenerate`);
    expect([token2.status, token2.body]).toEqual([400, error("Cannot regenerate the token of a revoked bot")]);
    expect((await ann.get(`/bots/${bot.id}`)).expect(200, Bot.strict()).revoked_at).not.toBeNull();
  });

  test("a bot that is revoked while NATS is away is out on every gateway when it is back", async () => {
    const { bot, token } = await createBot();
    const connections = stack.gateways.map(({ url }) => connectGateway(url, "", { query: `bot_token=${token}` }));
    await Promise.all(connections.map(({ ready }) => ready));
    await stack.nats.kill();
    expect((await ann.delete(`/bots/${bot.id}`)).status).toBe(204);
    await stack.nats.restart();
    for (const { closed } of connections) expect((await closed).code).toBe(1000);
  });

  test("a token that is replaced while NATS is away is out when it is back, and the new one's connections stay", async () => {
    const { bot, token } = await createBot();
    const old = await connectEverywhere(token);
    await stack.nats.kill();
    const fresh = await regenerate(bot.id);
    const refused = await as(`Bearer ${old.jwt}`).get("/users/@me");
    expect([refused.status, refused.body]).toEqual([401, error("Invalid or expired token")]);
    await stack.nats.restart();
    const { connections } = await connectEverywhere(fresh.token);
    for (const { closed } of old.connections) expect((await closed).code).toBe(1000);
    for (const connection of connections) await connection.heartbeat();
    await Promise.all(connections.map((connection) => connection.close()));
  });

  test("of many who revoke a bot at once one succeeds", async () => {
    const { bot } = await createBot();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ann.delete(`/bots/${bot.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });
});
