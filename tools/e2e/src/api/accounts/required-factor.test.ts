import { AuthResponse, errorBody as error, permissionBits, Server } from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  createClient,
  createRole,
  createServerWithMembers,
  joinServer,
  type MortalStack,
  postMessage,
  type RestClient,
  type UserClient,
  useMortalStack,
} from "@parley/testing";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createAdminStage, createBotClient, registerAdmin, runSql } from "../stages/admin-stage.js";
import { factorPath, turnOnFactor } from "../stages/second-factor.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(mortal.stack));
});
afterEach(async () => {
  await runSql(stack.databaseUrl, "UPDATE instance_settings SET chosen = '{}'");
});

const moderating = [403, error("Turn on two-factor authentication to moderate")];
const settingUp = [403, error("Set up two-factor authentication first")];
const answerOf = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  return [status, body];
};

test("where a server demands a second factor, members without one read and write, and do not moderate", async () => {
  const { server, channel, owner, members } = await createServerWithMembers(client, 2);
  const [moderator, member] = members;
  const demand = (require_second_factor: unknown) => owner.patch(`/servers/${server.id}`, { require_second_factor });
  expect(await answerOf(demand("yes"))).toEqual([400, error("require_second_factor must be a boolean")]);
  expect(await answerOf(demand(true))).toEqual([400, error("Turn on two-factor authentication first")]);
  await turnOnFactor(owner);
  expect((await demand(true)).expect(200, Server).require_second_factor).toBe(true);
  const socket = connectGateway(stack.gateways[0]?.url ?? "", "", { query: `token=${member.accessToken}&v=2` });
  expect((await socket.ready).servers).toContainEqual(
    expect.objectContaining({ id: server.id, require_second_factor: true }),
  );
  socket.terminate();
  const { KICK_MEMBERS, MUTE_MEMBERS, MANAGE_MESSAGES, MANAGE_CHANNELS } = permissionBits;
  const bits = KICK_MEMBERS | MUTE_MEMBERS | MANAGE_MESSAGES | MANAGE_CHANNELS;
  const role = await createRole(owner, server.id, {
    permissions: bits,
    rights: ["view_audit_log", "mention_everyone"],
  });
  await assignRole(owner, role, moderator);
  const ofMember = await postMessage(member, channel.id, "e4");
  const own = await postMessage(moderator, channel.id, "@everyone e5");
  const about = `/servers/${server.id}/members/${member.user.id}`;
  const calls: ((by: RestClient) => Promise<{ status: number; body: unknown }>)[] = [
    (by) => by.get(`/servers/${server.id}/audit-logs`),
    (by) => by.get(`${about}/moderation`),
    (by) => by.post(`/servers/${server.id}/channels`, { name: "tactics" }),
    (by) => by.patch(about, { nickname: "Mikhail" }),
    (by) => by.post(`/channels/${channel.id}/messages/${ofMember.id}/pin`),
    (by) => by.delete(`/channels/${channel.id}/messages/${ofMember.id}`),
    (by) => by.patch(`${about}/voice`, { server_mute: true }),
    (by) => by.post(`${about}/kick`, {}),
  ];
  for (const api of stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${moderator.accessToken}`)))
    for (const call of calls) expect(await answerOf(call(api))).toEqual(moderating);
  // The right is judged first.
  expect(await answerOf(member.post(`/servers/${server.id}/members/${moderator.user.id}/kick`, {}))).toEqual([
    403,
    error("You lack the required permission for this action"),
  ]);
  expect((await moderator.delete(`/channels/${channel.id}/messages/${own.id}`)).status).toBe(204);
  await turnOnFactor(moderator);
  for (const call of calls) expect((await call(moderator)).status).toBeLessThan(300);
  expect((await demand(false)).expect(200, Server)).not.toHaveProperty("require_second_factor");
});

test("the owner who has no factor any more does not moderate either, and a bot needs none", async () => {
  const { server, owner, members } = await createServerWithMembers(client, 2);
  const [member, other] = members;
  await runSql(stack.databaseUrl, "UPDATE servers SET require_second_factor = true WHERE id = $1", [server.id]);
  expect(await answerOf(owner.post(`/servers/${server.id}/members/${member.user.id}/kick`, {}))).toEqual(moderating);
  expect((await owner.patch(`/servers/${server.id}`, { name: "Endgames" })).status).toBe(200);
  const bot = await createBotClient(owner);
  await joinServer(bot.client, server.id);
  await runSql(
    stack.databaseUrl,
    "WITH r AS (INSERT INTO roles (server_id, name, permissions, position) VALUES ($1, 'Bot', 256, 5) RETURNING id) INSERT INTO member_roles (server_id, user_id, role_id) SELECT $1, $2, id FROM r",
    [server.id, bot.user_id],
  );
  expect((await bot.client.post(`/servers/${server.id}/members/${other.user.id}/kick`, {})).status).toBe(204);
});

test("administrators without a factor are refused where one is demanded of them, and so is everybody", async () => {
  const set = (by: RestClient, require_second_factor: unknown) =>
    by.patch("/admin/settings", { require_second_factor });
  const text = "require_second_factor must be none, administrators or everyone";
  expect(await answerOf(set(admin, true))).toEqual([400, error(text)]);
  for (const whom of ["administrators", "everyone"])
    expect(await answerOf(set(admin, whom))).toEqual([400, error("Turn on two-factor authentication first")]);
  expect((await set(admin, "none")).status).toBe(200);
  const secured = await registerAdmin(client, stack.databaseUrl);
  await turnOnFactor(secured);
  expect((await set(secured, "administrators")).body).toMatchObject({ require_second_factor: "administrators" });
  for (const read of ["/admin/settings", "/admin/users", "/admin/network-bans"])
    expect(await answerOf(admin.get(read))).toEqual(moderating);
  expect((await secured.get("/admin/users")).status).toBe(200);
  const { server, channel, owner } = await createServerWithMembers(client, 0);

  expect((await set(secured, "everyone")).status).toBe(200);
  const { access_token } = (
    await client.post("/auth/login", { username: owner.username, password: owner.password })
  ).expect(200, AuthResponse);
  for (const api of stack.apis)
    for (const token of [access_token, owner.accessToken]) {
      const by = createClient(api.url).withAuthorization(`Bearer ${token}`);
      for (const call of [
        by.get("/servers"),
        by.get(`/channels/${channel.id}/messages`),
        by.post(`/channels/${channel.id}/messages`, { content: "e4" }),
        by.patch(`/servers/${server.id}`, { name: "x" }),
        by.get("/admin/users"),
      ])
        expect(await answerOf(call)).toEqual(settingUp);
      for (const read of ["/users/@me", factorPath, "/auth/passkeys"]) expect((await by.get(read)).status).toBe(200);
    }
  for (const { url } of stack.gateways) {
    const socket = connectGateway(url, access_token);
    await expect(socket.ready).rejects.toThrow();
    const { status, body } = await socket.rejected;
    expect([status, JSON.parse(body)]).toEqual(settingUp);
  }
  await turnOnFactor(owner);
  expect((await owner.get(`/channels/${channel.id}/messages`)).status).toBe(200);
  expect((await set(secured, "none")).body).not.toHaveProperty("require_second_factor");
});
