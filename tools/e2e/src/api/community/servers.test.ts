import { randomUUID } from "node:crypto";
import { errorBody as error, JoinedServer, Member, Server } from "@parley/contracts";
import {
  createClient,
  createServer,
  createServerWithMembers,
  joinServer,
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
let ann: UserClient;
let bob: UserClient;

beforeAll(async () => {
  stack = await sharedStack();
  // The list of public servers shows 50, which are not to be those of other tests.
  await runSql(stack.databaseUrl, "UPDATE servers SET is_public = false");
  client = createClient(stack.edgeUrl);
  [ann, bob] = await Promise.all([client.register(), client.register()]);
});

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("creating and reading servers", () => {
  test("a new server is private, empty and its creator's", async () => {
    const answer = await ann.post("/servers", { name: "  Chess  " });
    const server = answer.expect(201, Server.strict());
    expect(server).toEqual({
      id: expect.any(String),
      name: "Chess",
      owner_id: ann.user.id,
      icon_url: null,
      is_public: false,
      require_invite: false,
      member_count: 1,
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect((await ann.get(`/servers/${server.id}`)).body).toEqual(server);
    expect((await ann.get("/servers")).expect(200, z.array(Server))).toContainEqual(server);
  });

  test("lists the caller's servers, oldest first", async () => {
    const eve = await client.register();
    const names = ["one", "two", "three"];
    for (const name of names) await createServer(eve, { name });
    expect((await eve.get("/servers")).expect(200, z.array(Server)).map(({ name }) => name)).toEqual(names);
  });

  test.each([
    [{}, "Server name must be 1-100 characters"],
    [{ name: "   " }, "Server name must be 1-100 characters"],
    [{ name: "x".repeat(101) }, "Server name must be 1-100 characters"],
    [{ name: "a\u0000b" }, "Server name must be 1-100 characters"],
    [{ name: 5 }, "Server name must be 1-100 characters"],
    [{ name: "a", icon_url: "ftp://example.com" }, "icon_url must use http:// or https://"],
    [{ name: "a", is_public: "yes" }, "is_public must be a boolean"],
  ])("a server with %j is refused", async (body, text) => {
    const answer = await ann.post("/servers", body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("a server that the caller is no member of does not exist for them", async () => {
    const server = await createServer(ann, { is_public: true });
    for (const request of [
      bob.get(`/servers/${server.id}`),
      bob.patch(`/servers/${server.id}`, { name: "mine" }),
      bob.delete(`/servers/${server.id}`),
      bob.get(`/servers/${server.id}/members`),
      bob.get(`/servers/${server.id}/channels`),
      bob.delete(`/servers/${server.id}/leave`),
      ann.get(`/servers/${randomUUID()}`),
    ]) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    }
  });
});

describe("updating and deleting", () => {
  test("only the owner may update a server, and omitted fields stay", async () => {
    const { server, owner, members } = await createServerWithMembers(client, 1);
    const [member] = members;
    const changed = await owner.patch(`/servers/${server.id}`, { icon_url: "https://example.com/i.png", name: null });
    const after = changed.expect(200, Server.strict());
    expect(after).toMatchObject({
      name: server.name,
      icon_url: "https://example.com/i.png",
      is_public: true,
      member_count: 2,
    });
    expect(after.updated_at > server.updated_at).toBe(true);
    expect((await owner.patch(`/servers/${server.id}`, {})).body).toEqual(after);
    expect((await owner.patch(`/servers/${server.id}`, { icon_url: "" })).expect(200, Server).icon_url).toBeNull();

    const update = await member?.patch(`/servers/${server.id}`, { name: "mine" });
    expect([update?.status, update?.body]).toEqual([403, error("Only the server owner can update it")]);
    const removal = await member?.delete(`/servers/${server.id}`);
    expect([removal?.status, removal?.body]).toEqual([403, error("Only the server owner can delete it")]);

    expect((await owner.delete(`/servers/${server.id}`)).status).toBe(204);
    expect((await owner.get(`/servers/${server.id}`)).status).toBe(404);
    expect((await member?.get("/servers"))?.body).toEqual([]);
  });
});

describe("browse, join and leave", () => {
  test("browse shows at most 50 public servers, the largest first, then the newest", async () => {
    const { server: large } = await createServerWithMembers(client, 2);
    const older = await createServer(ann, { is_public: true });
    const newer = await createServer(ann, { is_public: true });
    const hidden = await createServer(ann);
    const entries = (await bob.get("/servers/browse")).expect(200, z.array(Server.strict()));
    const ids = entries.map(({ id }) => id);
    expect(ids).not.toContain(hidden.id);
    expect(ids.indexOf(large.id)).toBeLessThan(ids.indexOf(newer.id));
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    expect(entries.find(({ id }) => id === large.id)?.member_count).toBe(3);
    for (let count = 0; count < 50; count += 1) await createServer(ann, { is_public: true });
    expect((await bob.get("/servers/browse")).expect(200, z.array(Server))).toHaveLength(50);
  });

  test("joining a public server makes a member once, also with requests at the same time", async () => {
    const server = await createServer(ann, { is_public: true });
    const eve = await client.register();
    const answers = await Promise.all([1, 2, 3, 4].map(() => eve.post(`/api/servers/${server.id}/join`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const joined = answers.find(({ status }) => status === 201);
    expect(joined?.expect(201, JoinedServer.strict())).toEqual({ message: "Joined server", server_id: server.id });
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(error("Already a member of this server"));
    expect((await ann.get(`/servers/${server.id}`)).expect(200, Server).member_count).toBe(2);
  });

  test("a private server cannot be joined, but keeps the members it had", async () => {
    const { server, owner, members } = await createServerWithMembers(client, 1);
    await owner.patch(`/servers/${server.id}`, { is_public: false });
    const answer = await bob.post(`/servers/${server.id}/join`);
    expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    expect((await members[0]?.post(`/servers/${server.id}/join`))?.status).toBe(409);
    expect((await members[0]?.get(`/servers/${server.id}`))?.status).toBe(200);
  });

  test("a member may leave and come back, the owner may not leave", async () => {
    const server = await createServer(ann, { is_public: true });
    await joinServer(bob, server.id);
    expect((await bob.delete(`/servers/${server.id}/leave`)).status).toBe(204);
    expect((await bob.get(`/servers/${server.id}`)).status).toBe(404);
    await joinServer(bob, server.id);
    const answer = await ann.delete(`/servers/${server.id}/leave`);
    expect([answer.status, answer.body]).toEqual([400, error("The server owner cannot leave the server")]);
  });

  test("lists the members in the order in which they joined", async () => {
    const { server, owner, members } = await createServerWithMembers(client, 2);
    const list = (await owner.get(`/servers/${server.id}/members`)).expect(200, z.array(Member.strict()));
    expect(list.map(({ user_id }) => user_id)).toEqual([owner, ...members].map(({ user }) => user.id));
    expect(list[1]).toEqual({
      user_id: members[0]?.user.id,
      username: members[0]?.username,
      avatar_url: null,
      status: "offline",
      custom_status: null,
      activity: null,
      nickname: null,
      joined_at: timestamp,
      timeout_expires_at: null,
      roles: [],
    });
  });
});
