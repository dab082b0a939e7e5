import { AuthResponse } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServer,
  createServerWithMembers,
  listMessages,
  postMessage,
  type RestClient,
  startStack,
  type TestStack,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBotClient, registerAdmin, runSql } from "./admin-stage.js";

let stack: TestStack;
let client: RestClient;

beforeAll(async () => {
  stack = await startStack({ apis: 2, gateways: 2 });
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});
afterAll(() => stack?.stop());

const error = (text: string) => ({ error: text, message: text });
const as = (token: string) => client.withAuthorization(`Bearer ${token}`);

describe("a change of password", () => {
  const change = (user: RestClient, current_password: unknown, new_password: unknown) =>
    user.post("/auth/change-password", { current_password, new_password });

  test("ends all sessions and starts the one that goes on", async () => {
    const ann = await client.register();
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, ann.accessToken));
    await Promise.all(sockets.map(({ ready }) => ready));
    const next = (await change(ann, ann.password, "another password")).expect(200, AuthResponse);
    for (const { closed } of sockets) expect((await closed).code).toBe(1000);
    expect((await ann.get("/users/@me")).status).toBe(401);
    expect((await client.post("/auth/refresh", { refresh_token: ann.refreshToken })).status).toBe(401);
    expect((await as(next.access_token).get("/users/@me")).status).toBe(200);
    expect((await client.post("/auth/refresh", { refresh_token: next.refresh_token })).status).toBe(200);
    const login = (password: string) => client.post("/auth/login", { username: ann.username, password });
    expect([(await login(ann.password)).status, (await login("another password")).status]).toEqual([401, 200]);
  });

  test("succeeds once of two at the same time", async () => {
    const ann = await client.register();
    const answers = await Promise.all(["password one", "password two"].map((next) => change(ann, ann.password, next)));
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect([won?.status, others]).toEqual([200, []]);
    const token = won?.expect(200, AuthResponse).access_token ?? "";
    expect((await as(token).get("/users/@me")).status).toBe(200);
  });

  test("needs the password, and refuses guesses as a login does", async () => {
    const ann = await client.register();
    for (const [current, next, status, text] of [
      ["wrong", "another password", 403, "Wrong password"],
      [ann.password, "1234567", 400, "Password must be 8-128 characters"],
      ["", "another password", 400, "current_password must be 1-128 characters"],
    ] as const) {
      const answer = await change(ann, current, next);
      expect([answer.status, answer.body]).toEqual([status, error(text)]);
    }
    // The first login remembers an address, which is refused no guess; this account has none.
    const statuses = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await change(ann, "wrong", "another password")).status);
    expect(statuses).toEqual([...Array<number>(9).fill(403), 429]);
    expect((await ann.get("/users/@me")).status).toBe(200);
  });
});

describe("the deletion of the own account", () => {
  test("takes it away at once", async () => {
    const {
      owner,
      members: [ann],
      channel,
    } = await createServerWithMembers(client, 1);
    if (ann === undefined) throw new Error("a member is needed");
    await postMessage(ann, channel.id, "goodbye");
    const bot = await createBotClient(ann);
    const wrong = await ann.delete("/users/@me", { password: "wrong" });
    expect([wrong.status, wrong.body]).toEqual([403, error("Wrong password")]);
    expect((await ann.delete("/users/@me")).body).toEqual(error("password must be 1-128 characters"));
    expect((await ann.delete("/users/@me", { password: ann.password })).status).toBe(204);
    expect((await ann.get("/users/@me")).status).toBe(401);
    expect((await bot.client.get("/users/@me")).status).toBe(401);
    expect((await owner.get(`/users/${ann.user.id}`)).status).toBe(404);
    expect((await listMessages(owner, channel.id))[0]).toMatchObject({ content: "goodbye", author_id: null });
  });

  test("is refused to owners of servers, the last administrator and bots", async () => {
    const owner = await client.register();
    await createServer(owner);
    expect((await owner.delete("/users/@me", { password: owner.password })).body).toEqual(
      error("This account owns servers"),
    );
    const bot = await createBotClient(owner);
    expect((await bot.client.delete("/users/@me", { password: "x" })).body).toEqual(
      error("Bots cannot access account endpoints"),
    );
    const [first, last] = [
      await registerAdmin(client, stack.databaseUrl),
      await registerAdmin(client, stack.databaseUrl),
    ];
    const answers = await Promise.all(
      [first, last].map((admin) => admin.delete("/users/@me", { password: admin.password })),
    );
    expect(answers.map(({ status, body }) => [status, body]).toSorted()).toEqual([
      [204, undefined],
      [400, error("At least one administrator must remain")],
    ]);
    await runSql(stack.databaseUrl, "UPDATE users SET is_admin = false");
  });
});
