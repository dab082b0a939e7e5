import { errorBody as error, errorTexts, Invite, InvitePreview, Member, permissionBits, Role } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture<Users<1>>;
beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 1);
});

const word = () => `club-${crypto.randomUUID().slice(0, 8)}`;
const path = () => `/servers/${fixture.server.id}/vanity`;
const connect = ({ accessToken }: UserClient, version: number) =>
  connectGateway(stack.gateways[0]?.url ?? "", accessToken, {
    query: `token=${encodeURIComponent(accessToken)}&v=${version}`,
  });

test("the owner chooses an address, which leads to the server at every api until it is another one or given up", async () => {
  const { owner } = fixture;
  const [v1, v2] = [connect(owner, 1), connect(owner, 2)];
  await Promise.all([v1.ready, v2.ready]);
  const [first, second] = [word(), word()];
  const chosen = (await owner.put(path(), { code: first })).expect(200, Invite.strict());
  expect(chosen).toMatchObject({ code: first, vanity: true, max_uses: null, expires_at: null, uses: 0 });
  expect(await v2.waitFor("INVITE_CREATE", ({ id }) => id === chosen.id)).toEqual(chosen);
  const { vanity: _, ...old } = chosen;
  expect(await v1.waitFor("INVITE_CREATE", ({ id }) => id === chosen.id)).toEqual(old);
  expect((await owner.put(path(), { code: first })).body).toEqual(chosen);
  for (const { url } of stack.apis) {
    const preview = (await createClient(url).get(`/invites/${first}/preview`)).expect(200, InvitePreview);
    expect(preview.server_name).toBe(fixture.server.name);
  }
  const newcomer = await client.register();
  expect((await newcomer.post(`/invites/${first}/accept`)).status).toBe(201);
  const next = (await owner.put(path(), { code: second })).expect(200, Invite);
  expect((await owner.get(`/servers/${fixture.server.id}/invites`)).body).toEqual([next]);
  expect((await newcomer.get(`/invites/${first}`)).status).toBe(404);
  expect((await owner.delete(path())).status).toBe(204);
  expect((await newcomer.get(`/invites/${second}`)).status).toBe(404);
  const again = await owner.delete(path());
  expect([again.status, again.body]).toEqual([404, error("Invite not found")]);
  for (const socket of [v1, v2]) socket.terminate();
});

test("an address is taken once over all apis, and only the owner chooses it", async () => {
  const others = await Promise.all([createServerWithMembers(client, 0), createServerWithMembers(client, 0)]);
  const code = word();
  const answers = await Promise.all(
    others.map(({ server, owner }, index) =>
      createClient(stack.apis[index]?.url ?? "")
        .withAuthorization(`Bearer ${owner.accessToken}`)
        .put(`/servers/${server.id}/vanity`, { code }),
    ),
  );
  const [taken] = answers.filter(({ status }) => status === 409);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(taken?.body).toEqual(error("This address is taken"));
  const [member] = fixture.members;
  const refused = await member.put(path(), { code: word() });
  expect([refused.status, refused.body]).toEqual([403, error(errorTexts.vanity_owner_only)]);
  for (const wrong of ["ab", "x".repeat(33), "Chess", "a b c", 5]) {
    const answer = await fixture.owner.put(path(), { code: wrong });
    expect([answer.status, answer.body]).toEqual([400, error("code must be 3-32 characters of a-z, 0-9 and -")]);
  }
});

test("whoever joins by an invite with roles gets those that still exist", async () => {
  const { owner, server } = fixture;
  const role = async (fields: object = {}) =>
    (await owner.post(`/servers/${server.id}/roles`, { name: word(), ...fields })).expect(201, Role);
  const [kept, gone] = [await role(), await role()];
  const invites = `/servers/${server.id}/invites`;
  const invite = (await owner.post(invites, { role_ids: [kept.id, gone.id, kept.id] })).expect(201, Invite.strict());
  expect(invite.role_ids).toEqual([kept.id, gone.id]);
  expect((await owner.delete(`/servers/${server.id}/roles/${gone.id}`)).status).toBe(204);
  const newcomer = await client.register();
  const sockets = [connect(owner, 1), connect(newcomer, 2)];
  await Promise.all(sockets.map(({ ready }) => ready));
  expect((await newcomer.post(`/invites/${invite.code}/accept`)).status).toBe(201);
  const member = (await newcomer.get(`/servers/${server.id}/members/${newcomer.user.id}`)).expect(200, Member);
  expect(member.roles.map(({ id }) => id)).toEqual([kept.id]);
  for (const socket of sockets) {
    const given = await socket.waitFor("MEMBER_ROLE_ADD", ({ user_id }) => user_id === newcomer.user.id);
    expect(given.role_id).toBe(kept.id);
    socket.terminate();
  }
});

test("an invite gives only roles that its maker may give", async () => {
  const { owner, server, members } = fixture;
  const [member] = members;
  const roles = `/servers/${server.id}/roles`;
  const make = async (fields: object) => (await owner.post(roles, { name: word(), ...fields })).expect(201, Role);
  const low = await make({ position: 1 });
  const strong = await make({ position: 1, permissions: permissionBits.BAN_MEMBERS });
  const own = await make({ position: 5, permissions: permissionBits.CREATE_INVITES });
  expect((await owner.put(`/servers/${server.id}/members/${member.user.id}/roles/${own.id}`)).status).toBe(204);
  const create = async (role_ids: unknown) => {
    const { status, body } = await member.post(`/servers/${server.id}/invites`, { role_ids });
    return [status, body];
  };
  expect((await create([low.id]))[0]).toBe(201);
  expect(await create([own.id])).toEqual([403, error(errorTexts.role_assign_above)]);
  expect(await create([strong.id])).toEqual([403, error(errorTexts.cannot_grant_permissions)]);
  expect(await create([crypto.randomUUID()])).toEqual([404, error("Role not found")]);
  for (const wrong of ["all", ["x"], Array.from({ length: 6 }, () => low.id)]) {
    expect(await create(wrong)).toEqual([400, error("role_ids must be a list of at most 5 role ids")]);
  }
});
