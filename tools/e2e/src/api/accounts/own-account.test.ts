import { AuthResponse, errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServer,
  createServerWithMembers,
  listMessages,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, registerAdmin, runSql } from "../stages/admin-stage.js";
import { formOf } from "../stages/upload-stage.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const as = (token: string) => client.withAuthorization(`Bearer ${token}`);

describe("a change of password", () => {
  const change = (user: RestClient, current_password: unknown, new_password: unknown) =>
    user.post("/auth/change-password", { current_password, new_password });

  test("a change of password ends all sessions and starts the one that goes on", async () => {
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

  test("a change of password succeeds once of two at the same time", async () => {
    const ann = await client.register();
    const answers = await Promise.all(["password one", "password two"].map((next) => change(ann, ann.password, next)));
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect([won?.status, others]).toEqual([200, []]);
    const token = won?.expect(200, AuthResponse).access_token ?? "";
    expect((await as(token).get("/users/@me")).status).toBe(200);
  });

  test("a change of password needs the password, and refuses guesses as a login does", async () => {
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

describe("the export of the own data", () => {
  const Export = z.strictObject({
    account: z.object({ id: z.string(), username: z.string(), email: z.string().nullable() }),
    sessions: z.array(z.object({ session_id: z.string() })),
    servers: z.array(z.object({ id: z.string(), name: z.string(), owned: z.boolean() })),
    bots: z.array(z.object({ name: z.string() })),
    friends: z.array(z.object({ id: z.string(), username: z.string(), accepted: z.boolean(), requested: z.boolean() })),
    blocks: z.array(z.object({ id: z.string(), username: z.string() })),
    groups: z.array(z.object({ id: z.string(), name: z.string().nullable(), joined_at: z.string() })),
    push_subscriptions: z.array(z.unknown()),
    passkeys: z.array(z.unknown()),
    messages: z.array(
      z.object({
        id: z.string(),
        content: z.string(),
        created_at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        edited_at: z.null(),
        attachments: z.array(z.unknown()),
      }),
    ),
    direct_messages: z.array(
      z.object({
        content: z.string(),
        recipient_id: z.string(),
        reply_to: z.string().nullable(),
        attachments: z.array(z.object({ filename: z.string(), file_size: z.int() })),
      }),
    ),
  });
  const read = async (user: RestClient) => (await user.get("/users/@me/export")).expect(200, Export);

  test("the export of the own data contains the account's messages, and nothing of others", async () => {
    const {
      server,
      owner,
      members: [ann],
      channel,
    } = await createServerWithMembers(client, 1);
    expect(await read(ann)).toMatchObject({ messages: [], direct_messages: [], bots: [] });
    const mine = await postMessage(ann, channel.id, 'a "quoted" one');
    await postMessage(owner, channel.id, "not mine");
    const gone = await postMessage(ann, channel.id, "deleted");
    expect((await ann.delete(`/messages/${gone.id}`)).status).toBe(204);
    await createBotClient(ann);
    const dm = (await ann.post("/dm-channels", { user_id: owner.user.id })).expect(201, z.object({ id: z.string() }));
    const path = `/dm-channels/${dm.id}/messages`;
    const theirs = (await owner.post(path, { content: "not mine" })).expect(201, z.object({ id: z.string() }));
    const form = formOf([{ name: "a.txt", bytes: Buffer.from("abc") }]);
    form.append("payload_json", JSON.stringify({ content: "hello", reply_to: theirs.id }));
    await ann.send("POST", path, { body: form });
    const secret = (await ann.post(path, { content: "deleted" })).expect(201, z.object({ id: z.string() }));
    expect((await ann.delete(`/dm-messages/${secret.id}`)).status).toBe(204);
    expect((await ann.put(`/users/@me/friends/${owner.user.id}`)).status).toBe(204);
    const { user: rude } = await client.register();
    expect((await ann.put(`/users/@me/blocks/${rude.id}`)).status).toBe(204);
    const answer = await ann.get("/users/@me/export");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="account.json"');
    expect(answer.expect(200, Export)).toMatchObject({
      account: { id: ann.user.id, username: ann.username, email: null },
      servers: [{ id: server.id, owned: false }],
      bots: [{ name: "Helper" }],
      friends: [{ id: owner.user.id, accepted: false, requested: true }],
      blocks: [{ id: rude.id, username: rude.username }],
      messages: [{ id: mine.id, content: 'a "quoted" one', attachments: [] }],
      direct_messages: [
        {
          ...{ content: "hello", recipient_id: owner.user.id, reply_to: theirs.id },
          attachments: [{ filename: "a.txt", file_size: 3 }],
        },
      ],
    });
    expect(JSON.stringify(answer.body)).not.toContain("password");
  });

  test("the export of the own data is whole when it is long, and for users", async () => {
    const { server, owner, channel } = await createServerWithMembers(client, 0);
    await runSql(
      stack.databaseUrl,
      "INSERT INTO messages (channel_id, server_id, author_id, content) SELECT $1, $2, $3, 'm' || n FROM generate_series(1, 1203) n",
      [channel.id, server.id, owner.user.id],
    );
    const { messages } = await read(owner);
    expect([messages.length, new Set(messages.map(({ id }) => id)).size]).toEqual([1203, 1203]);
    expect((await client.get("/users/@me/export")).status).toBe(401);
    const bot = await createBotClient(owner);
    expect((await bot.client.get("/users/@me/export")).status).toBe(403);
  });
});

describe("the deletion of the own account", () => {
  test("the deletion of the own account takes it away at once", async () => {
    const {
      owner,
      members: [ann],
      channel,
    } = await createServerWithMembers(client, 1);
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

  test("the deletion of the own account is refused to owners of servers, the last administrator and bots", async () => {
    const owner = await client.register();
    await createServer(owner);
    expect((await owner.delete("/users/@me", { password: owner.password })).body).toEqual(
      error("This account owns servers"),
    );
    const bot = await createBotClient(owner);
    expect((await bot.client.delete("/users/@me", { password: "x" })).body).toEqual(
      error("Bots cannot access account endpoints"),
    );
    // Other tests on this stack have administrators, too.
    await runSql(stack.databaseUrl, "UPDATE users SET is_admin = false");
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
