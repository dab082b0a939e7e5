import { AuthResponse, errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServer,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const Sessions = z.array(
  z.strictObject({
    id: z.uuid(),
    user_agent: z.string().nullable(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    current: z.boolean(),
  }),
);
const as = (token: string) => client.withAuthorization(`Bearer ${token}`);
const login = async ({ username, password }: UserClient, headers = {}) =>
  (await client.send("POST", "/auth/login", { body: { username, password }, headers })).expect(200, AuthResponse);
const sessionsOf = async (user: RestClient) => (await user.get("/auth/sessions")).expect(200, Sessions);
/** Statuses with the token at each api, and with its refresh token. */
const worth = async (token: string, refresh_token: string) => [
  ...(await Promise.all(
    stack.apis.map(
      async ({ url }) => (await createClient(url).withAuthorization(`Bearer ${token}`).get("/users/@me")).status,
    ),
  )),
  (await client.post("/auth/refresh", { refresh_token })).status,
];

describe("sessions", () => {
  test("sessions are listed newest first, with the client that started them", async () => {
    const ann = await client.register();
    await login(ann, { "user-agent": "Phone/1.0" });
    const sessions = await sessionsOf(ann);
    expect(sessions.map(({ user_agent, current }) => [user_agent, current])).toEqual([
      ["Phone/1.0", false],
      ["node", true],
    ]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(2);
  });

  test("stay one when their tokens are exchanged, and keep a long User-Agent to 256 characters", async () => {
    const ann = await client.register();
    const { refresh_token, access_token } = await login(ann, { "user-agent": "x".repeat(1_000) });
    const before = await sessionsOf(as(access_token));
    const next = (await client.post("/auth/refresh", { refresh_token })).expect(200, AuthResponse);
    const after = await sessionsOf(as(next.access_token));
    expect(after.map(({ id, current }) => [id, current])).toEqual(before.map(({ id, current }) => [id, current]));
    expect(after[0]?.user_agent).toBe("x".repeat(256));
  });

  test("end alone: their tokens at every api, and their connections at every gateway", async () => {
    const ann = await client.register();
    const other = await login(ann);
    const sockets = stack.gateways.map(({ url }) => ({
      ended: connectGateway(url, other.access_token),
      kept: connectGateway(url, ann.accessToken),
    }));
    await Promise.all(sockets.flatMap(({ ended, kept }) => [ended.ready, kept.ready]));
    const [session] = await sessionsOf(as(other.access_token));
    expect((await ann.delete(`/auth/sessions/${session?.id}`)).status).toBe(204);
    expect(await worth(other.access_token, other.refresh_token)).toEqual([401, 401, 401]);
    for (const { ended, kept } of sockets) {
      expect((await ended.closed).code).toBe(1000);
      await kept.heartbeat();
      await kept.close();
    }
    expect((await connectGateway(stack.edgeUrl, other.access_token).rejected).status).toBe(401);
    expect(await worth(ann.accessToken, ann.refreshToken)).toEqual([200, 200, 200]);
    expect(await sessionsOf(ann)).toHaveLength(1);
  });

  test.each([
    ["ends", "INSERT INTO ended_sessions (id) VALUES ($2) RETURNING $1::uuid"],
    [
      "is one before a new password",
      "UPDATE users SET session_version = session_version + 1 WHERE id = $1 AND $2::uuid IS NOT NULL",
    ],
    [
      "is of an account that is disabled",
      "UPDATE users SET disabled_at = now() WHERE id = $1 AND $2::uuid IS NOT NULL",
    ],
  ])("a session that %s reads and sends no message at any api, and is told nothing else", async (_, ending) => {
    const ann = await client.register();
    const [server, { access_token }] = await Promise.all([createServer(ann), login(ann)]);
    const channel = await createChannel(ann, server.id);
    const path = `/channels/${channel.id}/messages`;
    const form = (content: string) => {
      const body = new FormData();
      body.append("payload_json", JSON.stringify({ content }));
      body.append("files", new Blob(["text"]), "a.txt");
      return { body };
    };
    const ask = (user: RestClient) =>
      Promise.all([
        user.get(path),
        user.get(`${path}?limit=x`),
        user.get(`/channels/${crypto.randomUUID()}/messages`),
        user.post(path, { content: "text" }),
        user.post(path, { content: "" }),
        user.post(`/channels/${crypto.randomUUID()}/messages`, { content: "text" }),
        user.send("POST", path, form("with a file")),
        user.send("POST", path, form("")),
      ]);
    const everywhere = stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${access_token}`));
    for (const user of everywhere) {
      expect((await ask(user)).map(({ status }) => status)).toEqual([200, 400, 404, 201, 400, 404, 201, 201]);
    }
    const session = (await sessionsOf(as(access_token))).find(({ current }) => current);
    await runSql(stack.databaseUrl, ending, [ann.user.id, session?.id]);
    for (const user of everywhere) {
      for (const { status, body } of await ask(user))
        expect([status, body]).toEqual([401, error("Invalid or expired token")]);
    }
    const stored = await runSql(stack.databaseUrl, "SELECT FROM messages WHERE channel_id = $1", [channel.id]);
    expect(stored).toHaveLength(everywhere.length * 3);
  });

  test("a session ends by logout", async () => {
    const ann = await client.register();
    const socket = connectGateway(stack.edgeUrl, ann.accessToken);
    await socket.ready;
    expect((await ann.post("/auth/logout")).status).toBe(204);
    expect(await worth(ann.accessToken, ann.refreshToken)).toEqual([401, 401, 401]);
    expect((await socket.closed).code).toBe(1000);
    expect((await login(ann)).user.id).toBe(ann.user.id);
  });

  test("end with a successor that is made at the same moment", async () => {
    const ann = await client.register();
    const { access_token, refresh_token } = await login(ann);
    const [answer, logout] = await Promise.all([
      client.post("/auth/refresh", { refresh_token }),
      as(access_token).post("/auth/logout"),
    ]);
    expect(logout.status).toBe(204);
    if (answer.status === 200) {
      const next = answer.expect(200, AuthResponse);
      expect(await worth(next.access_token, next.refresh_token)).toEqual([401, 401, 401]);
    } else expect(answer.status).toBe(401);
  });

  test("the sessions of others, ended ones and unknown ones are not found", async () => {
    const [ann, bob] = [await client.register(), await client.register()];
    const [own] = await sessionsOf(bob);
    const gone = await login(ann);
    const [ended] = await sessionsOf(as(gone.access_token));
    await as(gone.access_token).post("/auth/logout");
    for (const id of [own?.id, ended?.id, crypto.randomUUID()]) {
      const answer = await ann.delete(`/auth/sessions/${id}`);
      expect([answer.status, answer.body]).toEqual([404, error("Session not found")]);
    }
    expect((await ann.delete("/auth/sessions/1")).body).toEqual(error("Invalid identifier"));
  });

  test("need a user: nobody and bots are refused", async () => {
    const ann = await client.register();
    const { token } = (await ann.post("/bots", { name: "Helper" })).expect(201, z.object({ token: z.string() }));
    for (const [method, path] of [
      ["GET", "/auth/sessions"],
      ["DELETE", `/auth/sessions/${crypto.randomUUID()}`],
      ["POST", "/auth/logout"],
    ] as const) {
      expect((await client.send(method, path)).status).toBe(401);
      const answer = await client.withAuthorization(`Bot ${token}`).send(method, path);
      expect([answer.status, answer.body]).toEqual([403, error("Bots cannot access account endpoints")]);
    }
  });
});
