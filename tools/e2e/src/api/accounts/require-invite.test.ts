import { errorBody as error, JoinedServer, Server } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServer,
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
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stack = await sharedStack();
  // The list of public servers shows 50, which are not to be those of other tests.
  await runSql(stack.databaseUrl, "UPDATE servers SET is_public = false");
  client = createClient(stack.edgeUrl);
  [owner, member] = [await client.register(), await client.register()];
});

const needsInvite = [403, error("This server requires an invite to join")];

async function join(user: UserClient, { id }: Server) {
  const { status, body } = await user.post(`/servers/${id}/join`);
  return [status, body];
}

/** The server in READY on every gateway. */
async function ready(user: UserClient, { id }: Server) {
  const said = [];
  for (const { url } of stack.gateways) {
    const socket = connectGateway(url, user.accessToken);
    said.push((await socket.ready).servers.find((server) => server.id === id)?.require_invite);
    socket.close();
  }
  return said;
}

describe("require_invite", () => {
  test("require_invite is false unless asked for, and stands in every object of a server", async () => {
    expect((await createServer(owner)).require_invite).toBe(false);
    const created = await owner.post("/servers", { name: "Club", is_public: true, require_invite: true });
    const server = created.expect(201, Server.strict());
    expect(server.require_invite).toBe(true);
    expect((await owner.get(`/servers/${server.id}`)).body).toEqual(server);
    for (const path of ["/servers", "/servers/browse"]) {
      expect((await owner.get(path)).expect(200, z.array(Server.strict()))).toContainEqual(server);
    }
  });

  test("require_invite is changed by the owner alone, stays when left out or null, and is in READY from the answer on", async () => {
    const server = await createServer(owner, { is_public: true });
    await joinServer(member, server.id);
    expect(await ready(member, server)).toEqual([false, false]);
    const path = `/servers/${server.id}`;
    for (const [body, expected] of [
      [{ require_invite: true }, true],
      [{ name: "Renamed" }, true],
      [{ require_invite: null }, true],
      [{ require_invite: false }, false],
    ] as const) {
      expect((await owner.patch(path, body)).expect(200, Server.strict()).require_invite).toBe(expected);
      expect(await ready(member, server)).toEqual([expected, expected]);
    }
    const refused = await member.patch(path, { require_invite: true });
    expect([refused.status, refused.body]).toEqual([403, error("Only the server owner can update it")]);
    for (const method of ["PATCH", "POST"] as const) {
      const target = method === "PATCH" ? path : "/servers";
      const answer = await owner.send(method, target, { body: { name: "Name", require_invite: "yes" } });
      expect([answer.status, answer.body]).toEqual([400, error("require_invite must be a boolean")]);
    }
  });
});

describe("joining such a server", () => {
  test("joining such a server is refused after membership, visibility and bans, and works with an invite", async () => {
    const server = await createServer(owner, { is_public: true, require_invite: true });
    const [guest, banned] = [await client.register(), await client.register()];
    expect(await join(owner, server)).toEqual([409, error("Already a member of this server")]);
    expect(await join(guest, server)).toEqual(needsInvite);
    const ban = `/servers/${server.id}/bans/${banned.user.id}`;
    expect((await owner.post(`/servers/${server.id}/members/${banned.user.id}/ban`)).status).toBeLessThan(300);
    expect(await join(banned, server)).toEqual([403, error("You are banned from this server")]);
    expect((await owner.delete(ban)).status).toBeLessThan(300);
    await owner.patch(`/servers/${server.id}`, { is_public: false });
    expect(await join(guest, server)).toEqual([404, error("Server not found")]);

    const invite = await owner.post(`/servers/${server.id}/invites`);
    const { code } = invite.expect(201, z.object({ code: z.string() }));
    (await guest.post(`/invites/${code}/accept`)).expect(201, JoinedServer.strict());
    expect(await join(guest, server)).toEqual([409, error("Already a member of this server")]);
    await owner.patch(`/servers/${server.id}`, { is_public: true });
    expect(await join(banned, server)).toEqual(needsInvite);
  });

  test("joining such a server is open again as soon as the owner says so, on every api, and earlier members stay", async () => {
    const server = await createServer(owner, { is_public: true });
    await joinServer(member, server.id);
    const clients = stack.apis.map(({ url }) => createClient(url));
    for (const isClosed of [true, false]) {
      await owner.patch(`/servers/${server.id}`, { require_invite: isClosed });
      for (const each of clients) {
        const guest = await each.register();
        if (isClosed) expect(await join(guest, server)).toEqual(needsInvite);
        else await joinServer(guest, server.id);
      }
      expect((await member.get(`/servers/${server.id}`)).status).toBe(200);
    }
  });
});
