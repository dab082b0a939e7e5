import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { createAccessTokens, generateToken, hashToken } from "@parley/auth";
import { errorBody } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRows, type GatewayFixture, openClient } from "../gateway-fixture.js";
import { startServers, type TestServers } from "../servers-fixture.js";

let servers: TestServers;
let fixture: GatewayFixture;
let rows: ReturnType<typeof createRows>;

beforeAll(async () => {
  servers = await startServers();
  fixture = await servers.startNode();
  rows = createRows(fixture.database);
});

afterAll(() => servers.stop());

const handshake = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
};

/** The gateway's answer to a GET, before any upgrade. */
function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; type: string | undefined; body: unknown }>((resolve, reject) => {
    const call = request(`${fixture.url}${path}`, { headers, method }, (response) => {
      const { statusCode = 0 } = response;
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({
          status: statusCode,
          type: response.headers["content-type"],
          body: text === "" ? null : JSON.parse(text),
        }),
      );
    });
    call.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, type: undefined, body: null });
    });
    call.on("error", reject);
    call.end();
  });
}

const token = (userId: string) => fixture.accessTokens.issue({ userId });
const refusal = (text: string) => ({
  status: 401,
  type: "application/json; charset=utf-8",
  body: errorBody(text),
});

async function createBot(options: { revoked?: boolean } = {}) {
  const botToken = generateToken();
  const userId = await rows.user();
  await fixture.database.prisma.bot.create({
    data: {
      user_id: userId,
      name: "bot",
      token_hash: hashToken(botToken),
      revoked_at: options.revoked === true ? new Date() : null,
    },
  });
  return { botToken, userId, jwt: fixture.accessTokens.issue({ userId, bot: true }) };
}

function unsignedToken(userId: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 600;
  return `${part({ alg: "none", typ: "JWT" })}.${part({ sub: userId, exp })}.`;
}

describe("the upgrade of a connection", () => {
  test("the upgrade of a connection answers 401 before the upgrade to every token that is not an account's valid access token", async () => {
    const userId = await rows.user();
    const expired = createAccessTokens({ secret: "0123456789abcdef0123456789abcdef", ttlSeconds: -1 });
    const foreign = createAccessTokens({ secret: "another secret of thirty-two chars" });
    const [header = "", payload = ""] = token(userId).split(".");
    const queries = [
      "",
      "?token=",
      "?token=garbage",
      `?token=${expired.issue({ userId })}`,
      `?token=${foreign.issue({ userId })}`,
      `?token=${unsignedToken(userId)}`,
      `?token=${header}.${payload}.${createHmac("sha256", "x").update("y").digest("base64url")}`,
      `?token=${token(randomUUID())}`,
      `?token=${"x".repeat(10_000)}`,
      "?token=%00%ff",
    ];
    for (const query of queries) {
      expect(await get(`/ws${query}`, handshake)).toEqual(refusal("Invalid or expired token"));
      expect(await get(`/ws${query}`)).toEqual(refusal("Invalid or expired token"));
    }
  });

  test("the upgrade of a connection answers 401 to unknown and revoked bot tokens, and to the JWT of a revoked bot", async () => {
    const bot = await createBot({ revoked: true });
    for (const wrong of ["", "x", generateToken(), bot.botToken]) {
      expect(await get(`/ws?bot_token=${wrong}`, handshake)).toEqual(refusal("Invalid or revoked bot token"));
    }
    expect((await get(`/ws?token=${bot.jwt}`, handshake)).status).toBe(401);
  });

  test("the upgrade of a connection lets users in by token, bots by JWT and by static token, on both paths", async () => {
    const userId = await rows.user();
    const bot = await createBot();
    for (const query of [`token=${token(userId)}`, `token=${bot.jwt}`, `bot_token=${bot.botToken}`]) {
      expect((await get(`/ws?${query}`, handshake)).status).toBe(101);
      expect((await get(`/api/ws/?${query}`, handshake)).status).toBe(101);
    }
    const client = openClient(fixture, `bot_token=${bot.botToken}`);
    expect((await client.receive("READY")).d).toMatchObject({ user: { id: bot.userId } });
    await client.close();
  });

  test("the upgrade of a connection lets `token` decide when both are given", async () => {
    const bot = await createBot();
    expect((await get(`/ws?token=wrong&bot_token=${bot.botToken}`, handshake)).status).toBe(401);
    const valid = token(await rows.user());
    expect((await get(`/ws?bot_token=wrong&token=${valid}`, handshake)).status).toBe(101);
  });

  test("the upgrade of a connection answers 400 to a valid token without a proper handshake", async () => {
    const path = `/ws?token=${token(await rows.user())}`;
    const { Connection, Upgrade, ...rest } = handshake;
    const improper: Record<string, string>[] = [
      {},
      rest,
      { ...rest, Upgrade },
      { ...handshake, Upgrade: "h2c" },
      { ...handshake, "Sec-WebSocket-Key": "short" },
      { ...handshake, "Sec-WebSocket-Version": "7" },
      { Connection, Upgrade },
    ];
    for (const headers of improper) {
      expect(await get(path, headers)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    }
    await waitUntil(() => fixture.metrics.connections === 0, { what: "no connection to be left" });
  });

  test("the upgrade of a connection answers 400 to a query that asks for something unknown, after the token, to users and bots", async () => {
    const bot = await createBot();
    const tokens = [`token=${token(await rows.user())}`, `token=${bot.jwt}`, `bot_token=${bot.botToken}`];
    const errors = {
      "presence=some": "presence must be subscribed or none",
      "events=": "events must name at least one event",
      "events=MESSAGE_CREATE,%22%C3%A9%22": 'Unknown event: "é"',
      "shard=2/2": "Invalid shard",
    };
    for (const [query, text] of Object.entries(errors)) {
      for (const credential of tokens) {
        const answer = { status: 400, type: refusal("").type, body: errorBody(text) };
        expect(await get(`/ws?${credential}&${query}`, handshake)).toEqual(answer);
        expect(await get(`/ws?${query}&${credential}`)).toEqual(answer);
      }
      expect(await get(`/ws?token=wrong&${query}`, handshake)).toEqual(refusal("Invalid or expired token"));
      expect(await get(`/wss?${tokens[0]}&${query}`, handshake)).toMatchObject({ status: 404 });
    }
    const all = "presence=none&events=MESSAGE_CREATE,TYPING_START&shard=0/2&unknown=1";
    for (const credential of tokens) expect((await get(`/ws?${credential}&${all}`, handshake)).status).toBe(101);
  });

  test("the upgrade of a connection answers 404 to upgrades of other paths and to other methods", async () => {
    const query = `?token=${token(await rows.user())}`;
    for (const path of ["/", "/wss", "/ws/x", "/api/api/ws", "/api"]) {
      expect((await get(`${path}${query}`, handshake)).status).toBe(404);
    }
    expect((await get(`/ws${query}`, {}, "POST")).status).toBe(404);
  });

  test("the upgrade of a connection forgets a client that leaves before the upgrade is answered", async () => {
    const userId = await rows.user();
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(new URL(fixture.url).port), "127.0.0.1");
      const lines = Object.entries(handshake).map(([name, value]) => `${name}: ${value}`);
      socket.write([`GET /ws?token=${token(userId)} HTTP/1.1`, "Host: x", ...lines, "", ""].join("\r\n"), () =>
        socket.destroy(),
      );
    }
    const client = openClient(fixture, `token=${token(userId)}`);
    await client.receive("READY");
    await waitUntil(() => fixture.metrics.connections === 1, { what: "only the living connection to be left" });
    await client.close();
  });

  test("the upgrade of a connection keeps a connection whose token expires", async () => {
    const userId = await rows.user();
    // Its times are whole seconds: one that is good for a second may end at once.
    const brief = createAccessTokens({ secret: "0123456789abcdef0123456789abcdef", ttlSeconds: 3 });
    const expiring = brief.issue({ userId });
    const client = openClient(fixture, `token=${expiring}`);
    await client.receive("READY");
    await waitUntil(async () => (await get(`/ws?token=${expiring}`)).status === 401, { what: "the token to expire" });
    await client.settled();
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    await client.close();
  });
});
