import { randomUUID } from "node:crypto";
import {
  AuditLogEntry,
  errorBody as error,
  Invite,
  JoinedServer,
  Member,
  permissionBits,
  Server,
} from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  assignRole,
  connectGateway,
  connectWitnesses,
  createChannel,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Witnesses,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let database: Database;
let client: RestClient;
let owner: UserClient;
let inviter: UserClient;
let plain: UserClient;
let stranger: UserClient;
/** Owns private servers, whose events the witnesses do not get. */
let founder: UserClient;
let witnesses: Witnesses;
let serverId: string;
let path: string;

const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  stack = await sharedStack();
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  client = createClient(stack.edgeUrl);
  const fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, inviter, plain] = [fixture.owner, first, second];
  [stranger, founder] = [await client.register(), await client.register()];
  serverId = fixture.server.id;
  path = `/servers/${serverId}/invites`;
  await assignRole(owner, await createRole(owner, serverId, { permissions: permissionBits.CREATE_INVITES }), inviter);
  witnesses = await connectWitnesses(stack, { insiders: [owner, plain], outsiders: [stranger] });
});
afterAll(async () => {
  witnesses?.close();
  await database?.close();
});

async function invite(by: RestClient, server: string, limits: { max_uses?: number; expires_in_hours?: number } = {}) {
  return (await by.post(`/servers/${server}/invites`, limits)).expect(201, Invite.strict());
}
async function expire({ id }: Invite): Promise<void> {
  await database.prisma.invite.update({ where: { id }, data: { expires_at: new Date(Date.now() - 1) } });
}
const accept = (by: RestClient, { code }: Invite) => by.post(`/invites/${code}/accept`);

describe("an invite", () => {
  test("an invite is announced to every member on every gateway, and audited, when it is created and when it is revoked", async () => {
    const made = await invite(inviter, serverId, { max_uses: 3, expires_in_hours: 720 });
    expect(made).toEqual({
      id: expect.any(String),
      server_id: serverId,
      code: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      created_by: inviter.user.id,
      max_uses: 3,
      uses: 0,
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Date.parse(made.expires_at ?? "") - Date.parse(made.created_at)).toBe(720 * 3_600_000);
    const unlimited = await invite(owner, serverId);
    expect(unlimited).toMatchObject({ max_uses: null, expires_at: null });
    await witnesses.expectEvents(["INVITE_CREATE", made], ["INVITE_CREATE", unlimited]);

    expect((await inviter.delete(`${path}/${unlimited.id}`)).status).toBe(204);
    await witnesses.expectEvents(["INVITE_DELETE", { server_id: serverId, invite_id: unlimited.id }]);
    const again = await inviter.delete(`${path}/${unlimited.id}`);
    expect([again.status, again.body]).toEqual([404, error("Invite not found")]);
    const log = await owner.get(`/servers/${serverId}/audit-logs?target_type=invite`);
    const entries = log.expect(200, z.array(AuditLogEntry.strict()));
    expect(entries.map(({ action, target_id, details }) => [action, target_id, details])).toEqual([
      ["invite_revoke", unlimited.id, {}],
      ["invite_create", unlimited.id, { code: unlimited.code, max_uses: null }],
      ["invite_create", made.id, { code: made.code, max_uses: 3 }],
    ]);
  });

  test("an invite is listed, newest first, also once it is used up or expired", async () => {
    const server = await createServer(founder);
    const [oldest, usedUp, expired] = [
      await invite(founder, server.id),
      await invite(founder, server.id, { max_uses: 1 }),
      await invite(founder, server.id, { expires_in_hours: 1 }),
    ];
    (await accept(await client.register(), usedUp)).expect(201, JoinedServer.strict());
    await expire(expired);
    const prefixed = createClient(stack.edgeUrl, { prefix: "/api", authorization: `Bearer ${founder.accessToken}` });
    const listed = (await prefixed.get(`/servers/${server.id}/invites`)).expect(200, z.array(Invite.strict()));
    expect(listed.map(({ id, uses }) => [id, uses])).toEqual([
      [expired.id, 0],
      [usedUp.id, 1],
      [oldest.id, 0],
    ]);
  });

  test("an invite is deleted with its server", async () => {
    const server = await createServer(founder);
    const made = await invite(founder, server.id);
    expect((await founder.delete(`/servers/${server.id}`)).status).toBe(204);
    expect((await accept(stranger, made)).body).toEqual(error("Invite not found"));
  });
});

describe("accepting an invite", () => {
  test("accepting an invite gives membership in a private server, and its events at once", async () => {
    const server = await createServer(founder);
    const channel = await createChannel(founder, server.id);
    const made = await invite(founder, server.id);
    const guest = await client.register();
    const socket = connectGateway(stack.edgeUrl, guest.accessToken);
    await socket.ready;
    const joined = (await accept(guest, made)).expect(201, JoinedServer.strict());
    expect(joined).toEqual({ message: "Joined server", server_id: server.id });
    const message = await postMessage(founder, channel.id, "welcome");
    await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === message.id);
    socket.terminate();
    expect((await guest.get(`/servers/${server.id}`)).expect(200, Server).member_count).toBe(2);
  });

  test("accepting an invite is refused in the order of the contract, and a refused one consumes no use", async () => {
    const server = await createServer(founder);
    const made = await invite(founder, server.id, { max_uses: 2 });
    const guest = await client.register();
    const banned = await client.register();
    await database.prisma.ban.create({ data: { server_id: server.id, user_id: banned.user.id } });
    const refuse = async (by: RestClient, code: string, status: number, text: string) => {
      const answer = await by.post(`/invites/${code}/accept`);
      expect([answer.status, answer.body]).toEqual([status, error(text)]);
    };
    for (const code of ["AAAAAAAA", "short", "%00aaaaaaa"]) await refuse(guest, code, 404, "Invite not found");
    await refuse(banned, made.code, 403, "You are banned from this server");
    await refuse(founder, made.code, 409, "Already a member of this server");
    const uses = async () =>
      (await founder.get(`/servers/${server.id}/invites`)).expect(200, z.array(Invite)).map((row) => row.uses);
    expect(await uses()).toEqual([0]);
    await accept(guest, made);
    await accept(await client.register(), made);
    expect(await uses()).toEqual([2]);
    for (const by of [banned, guest, stranger]) {
      await refuse(by, made.code, 400, "This invite has reached its maximum uses");
    }
    await expire(made);
    for (const by of [banned, guest, stranger]) await refuse(by, made.code, 400, "This invite has expired");
  });

  test("accepting an invite gives the last use to one of ten who accept at once", async () => {
    const server = await createServer(founder);
    const made = await invite(founder, server.id, { max_uses: 3 });
    const guests = await Promise.all(Array.from({ length: 12 }, () => client.register()));
    for (const guest of guests.splice(0, 2)) (await accept(guest, made)).expect(201, JoinedServer);
    const answers = await Promise.all(guests.map((guest) => accept(guest, made)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
    const members = (await founder.get(`/servers/${server.id}/members`)).expect(200, z.array(Member));
    expect(members).toHaveLength(4);
  });

  test("accepting an invite counts one use for a user who accepts five times at once", async () => {
    const server = await createServer(founder);
    const made = await invite(founder, server.id, { max_uses: 5 });
    const guest = await client.register();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => accept(guest, made)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const [listed] = (await founder.get(`/servers/${server.id}/invites`)).expect(200, z.array(Invite));
    expect(listed?.uses).toBe(1);
  });

  test("accepting an invite and a ban at once never leave a banned member", async () => {
    const server = await createServer(founder, { is_public: true });
    const made = await invite(founder, server.id);
    const ban = (user_id: string) =>
      database.transaction(async ({ prisma }) => {
        await prisma.$queryRaw`SELECT id FROM servers WHERE id = ${server.id}::uuid FOR NO KEY UPDATE`;
        await prisma.ban.create({ data: { server_id: server.id, user_id } });
        await prisma.member.deleteMany({ where: { server_id: server.id, user_id } });
      });
    for (let round = 0; round < 6; round += 1) {
      const guest = await client.register();
      const answers = await Promise.all([
        accept(guest, made),
        guest.post(`/servers/${server.id}/join`),
        ban(guest.user.id).then(() => ({ status: 204 })),
        accept(guest, made),
      ]);
      for (const { status } of answers) expect([201, 204, 403, 409]).toContain(status);
      expect((await guest.get(`/servers/${server.id}`)).status).toBe(404);
    }
    const [listed] = (await founder.get(`/servers/${server.id}/invites`)).expect(200, z.array(Invite));
    expect(listed?.uses).toBeLessThanOrEqual(6);
  });

  test("accepting an invite and a revocation, a leaving or the end of the server at once answer as the contract says", async () => {
    for (let round = 0; round < 4; round += 1) {
      const server = await createServer(founder);
      const made = await invite(founder, server.id);
      const guests = await Promise.all([1, 2, 3].map(() => client.register()));
      (await accept(guests[0] ?? stranger, made)).expect(201, JoinedServer);
      const [ended, left, ...answers] = await Promise.all([
        round % 2 === 0
          ? founder.delete(`/servers/${server.id}`)
          : founder.delete(`/servers/${server.id}/invites/${made.id}`),
        guests[0]?.delete(`/servers/${server.id}/leave`),
        ...guests.slice(1).map((guest) => accept(guest, made)),
      ]);
      expect(ended?.status).toBe(204);
      expect([204, 404]).toContain(left?.status);
      for (const answer of answers) expect([201, 404]).toContain(answer?.status);
    }
  });
});

describe("managing invites is refused", () => {
  test.each([
    [{ max_uses: 0 }, "max_uses must be greater than 0"],
    [{ max_uses: 1.5 }, "max_uses must be greater than 0"],
    [{ max_uses: "3" }, "max_uses must be greater than 0"],
    [{ max_uses: 2 ** 31 }, "max_uses must be greater than 0"],
    [{ expires_in_hours: 0 }, "expires_in_hours must be between 1 and 720"],
    [{ expires_in_hours: 721 }, "expires_in_hours must be between 1 and 720"],
    [{ expires_in_hours: 1.5 }, "expires_in_hours must be between 1 and 720"],
  ])("an invite that is created with %j is refused", async (body, text) => {
    const answer = await stranger.post(path, body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("managing invites is refused to strangers with 404, to members without the right with 403, but a missing invite is 404 to these as well", async () => {
    const made = await invite(owner, serverId);
    const attempts = (by: RestClient) =>
      Promise.all([by.get(path), by.post(path, {}), by.delete(`${path}/${made.id}`)]);
    for (const { status, body } of await attempts(stranger)) {
      expect([status, body]).toEqual([404, error("Server not found")]);
    }
    for (const { status, body } of await attempts(plain)) {
      expect([status, body]).toEqual([403, error("You need the Create Invites permission")]);
    }
    const foreign = await invite(founder, (await createServer(founder)).id);
    for (const id of [randomUUID(), foreign.id]) {
      expect((await plain.delete(`${path}/${id}`)).body).toEqual(error("Invite not found"));
    }
    expect((await owner.delete(`${path}/x`)).body).toEqual(error("Invalid identifier"));
  });
});
