import { Ban, BulkBan, errorBody as error, Invite, Raid, RaidEnd } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  joinServer,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});

const sql = (text: string, values: unknown[]) => runSql(stack.databaseUrl, text, values);
const age = (user: UserClient, age: string) =>
  sql("UPDATE users SET created_at = now() - $2::interval WHERE id = $1", [user.user.id, age]);
const joinedAgo = (user: UserClient, ago: string) =>
  sql("UPDATE members SET joined_at = now() - $2::interval WHERE user_id = $1", [user.user.id, ago]);
/** The user by one of the apis. */
const via = (user: UserClient, index: number) =>
  createClient(stack.apis[index % stack.apis.length]?.url ?? "").withAuthorization(`Bearer ${user.accessToken}`);
const newAccounts = (count: number) => Promise.all(Array.from({ length: count }, () => client.register()));

const refused = [403, error("This server is not accepting new members at the moment")];
const silenced = [403, error("New members of this server cannot write yet")];
const join = async (by: RestClient, serverId: string) => {
  const { status, body } = await by.post(`/servers/${serverId}/join`);
  return status === 201 ? 201 : [status, body];
};
const accept = async (by: RestClient, code: string) => {
  const { status, body } = await by.post(`/invites/${code}/accept`);
  return status === 201 ? 201 : [status, body];
};
const send = async (by: RestClient, { channel }: ServerFixture) => {
  const { status, body } = await by.post(`/channels/${channel.id}/messages`, { content: "hello" });
  return status === 201 ? 201 : [status, body];
};
const raidOf = async ({ owner, server }: ServerFixture) =>
  (await owner.get(`/servers/${server.id}/raid`)).expect(200, Raid.strict());
const putRaid = async ({ owner, server }: ServerFixture, minutes: number) =>
  (await owner.put(`/servers/${server.id}/raid`, { minutes })).expect(200, RaidEnd.strict());
const minutesUntil = (until: string | null) => Math.round((Date.parse(until ?? "") - Date.now()) / 60_000);
const audit = async ({ owner, server }: ServerFixture, action: string) => {
  const Entries = z.array(z.object({ actor_id: z.string().nullable(), target_id: z.string() }).loose());
  return (await owner.get(`/servers/${server.id}/audit-logs?action=${action}`)).expect(200, Entries);
};

/** A server with the shield on, whose members of before have been there for an hour. */
async function shielded(raid_joins_per_minute: number, memberCount = 1): Promise<ServerFixture> {
  const fixture = await createServerWithMembers(client, memberCount);
  const { owner, server, members } = fixture;
  for (const member of members) await joinedAgo(member, "1 hour");
  const settings = { raid_shield: true, raid_joins_per_minute, raid_minutes: 10 };
  expect((await owner.patch(`/servers/${server.id}/safety`, settings)).status).toBe(200);
  return fixture;
}

describe("the shield", () => {
  test("lets as many young accounts join at once over all apis as it says, and one more, with which the raid begins", async () => {
    const fixture = await shielded(4);
    const { server } = fixture;
    const raiders = await newAccounts(12);
    const answers = await Promise.all(raiders.map((raider, index) => join(via(raider, index), server.id)));
    expect(answers.filter((answer) => answer === 201)).toHaveLength(5);
    expect(answers.filter((answer) => answer !== 201)).toEqual(Array.from({ length: 7 }, () => refused));
    const { until, joined } = await raidOf(fixture);
    expect([minutesUntil(until), joined]).toEqual([10, 5]);
    expect(await audit(fixture, "raid_start")).toEqual([
      expect.objectContaining({ actor_id: null, target_id: server.id, details: { until } }),
    ]);
  });

  test("counts each join of an account that leaves and joins again, but none of an old account, and none that are over a minute ago", async () => {
    const fixture = await shielded(3);
    const [back, old] = await newAccounts(2);
    if (back === undefined || old === undefined) throw new Error("No accounts");
    await age(old, "25 hours");
    const leave = (user: UserClient) => user.delete(`/servers/${fixture.server.id}/leave`);
    for (let count = 0; count < 6; count += 1) {
      expect(await join(via(old, count), fixture.server.id)).toBe(201);
      expect((await leave(old)).status).toBe(204);
    }
    for (let count = 0; count < 3; count += 1) {
      expect(await join(via(back, count), fixture.server.id)).toBe(201);
      expect((await leave(back)).status).toBe(204);
    }
    const ages = "UPDATE raid_joins SET joined_at = joined_at - interval '61 seconds' WHERE server_id = $1";
    await sql(ages, [fixture.server.id]);
    for (let count = 0; count < 4; count += 1) {
      expect(await raidOf(fixture)).toMatchObject({ until: null });
      expect(await join(via(back, count), fixture.server.id)).toBe(201);
      expect((await leave(back)).status).toBe(204);
    }
    expect(minutesUntil((await raidOf(fixture)).until)).toBe(10);
    expect(await join(via(back, 1), fixture.server.id)).toEqual(refused);
  });

  test("off, it counts nobody", async () => {
    const fixture = await shielded(1);
    await fixture.owner.patch(`/servers/${fixture.server.id}/safety`, { raid_shield: false });
    for (const user of await newAccounts(4)) expect(await join(user, fixture.server.id)).toBe(201);
    expect(await raidOf(fixture)).toEqual({ until: null, joined: 0 });
    expect(await sql("SELECT FROM raid_joins WHERE server_id = $1", [fixture.server.id])).toEqual([]);
  });

  test("a raid lasts longer while as many accounts as begin one are refused, however often one of them tries", async () => {
    const fixture = await shielded(2);
    const raiders = await newAccounts(5);
    for (const [index, raider] of raiders.entries()) await join(via(raider, index), fixture.server.id);
    const shorten = "UPDATE server_safety SET raid_until = now() + interval '5 minutes' WHERE server_id = $1";
    const forget = "UPDATE raid_joins SET joined_at = joined_at - interval '61 seconds' WHERE server_id = $1";
    for (const statement of [shorten, forget]) await sql(statement, [fixture.server.id]);
    const [first, second] = raiders.slice(-2);
    if (first === undefined || second === undefined) throw new Error("No accounts");
    for (let count = 0; count < 4; count += 1)
      expect(await join(via(first, count), fixture.server.id)).toEqual(refused);
    expect(minutesUntil((await raidOf(fixture)).until)).toBe(5);
    expect(await join(via(second, 0), fixture.server.id)).toEqual(refused);
    const third = await client.register();
    expect(await join(via(third, 1), fixture.server.id)).toEqual(refused);
    expect(minutesUntil((await raidOf(fixture)).until)).toBe(10);
  });
});

describe("under raid", () => {
  test("young accounts join in no way and those who joined shortly before do not write, on every api; others notice nothing", async () => {
    const fixture = await shielded(60, 3);
    const { owner, server, members } = fixture;
    const [old, recent, before] = members;
    if (old === undefined || recent === undefined || before === undefined) throw new Error("No members");
    for (const user of [recent, before]) await joinedAgo(user, "4 minutes");
    await joinedAgo(before, "6 minutes");
    const { code } = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
    const [late, grown, expected] = await newAccounts(3);
    if (late === undefined || grown === undefined || expected === undefined) throw new Error("No accounts");
    await age(grown, "25 hours");
    const { until } = await putRaid(fixture, 1_440);
    expect(minutesUntil(until)).toBe(1_440);
    for (const index of [0, 1]) {
      expect(await join(via(late, index), server.id)).toEqual(refused);
      expect(await accept(via(late, index), code)).toEqual(refused);
      expect(await send(via(recent, index), fixture)).toEqual(silenced);
      for (const member of [owner, old, before]) expect(await send(via(member, index), fixture)).toBe(201);
    }
    expect(await accept(grown, code)).toBe(201);
    expect(await send(grown, fixture)).toBe(201);

    expect((await owner.delete(`/servers/${server.id}/raid`)).status).toBe(204);
    expect(await send(recent, fixture)).toBe(201);
    expect(await join(expected, server.id)).toBe(201);
  });

  test("a ban and a membership are answered first, what is wrong with an invite later", async () => {
    const fixture = await shielded(60);
    const { owner, server, members } = fixture;
    const [member] = members;
    const [banned, late] = await newAccounts(2);
    if (member === undefined || banned === undefined || late === undefined) throw new Error("No accounts");
    const spent = (await owner.post(`/servers/${server.id}/invites`, { max_uses: 1 })).expect(201, Invite);
    const open = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
    expect(await accept(await client.register(), spent.code)).toBe(201);
    expect((await owner.post(`/servers/${server.id}/members/${banned.user.id}/ban`, {})).status).toBe(204);
    await owner.patch(`/servers/${server.id}`, { require_invite: true });
    await putRaid(fixture, 5);
    const bannedText = [403, error("You are banned from this server")];
    const memberText = [409, error("Already a member of this server")];
    expect([await join(banned, server.id), await accept(banned, open.code)]).toEqual([bannedText, bannedText]);
    expect([await join(member, server.id), await accept(member, open.code)]).toEqual([memberText, memberText]);
    expect([await join(late, server.id), await accept(late, spent.code)]).toEqual([refused, refused]);
    const { status } = await late.post("/invites/AAAAAAAA/accept");
    expect(status).toBe(404);
  });
});

describe("by hand", () => {
  test("a raid is begun, changed and ended by holders of manage_raids alone, and each is audited", async () => {
    const fixture = await createServerWithMembers(client, 1);
    const { owner, server, members } = fixture;
    const path = `/servers/${server.id}/raid`;
    for (const refusal of [
      await members[0].get(path),
      await members[0].put(path, { minutes: 5 }),
      await members[0].delete(path),
    ])
      expect([refusal.status, refusal.body]).toEqual([403, error("You lack the required permission for this action")]);
    for (const minutes of [0, 1_441, 1.5, undefined]) {
      const { status, body } = await owner.put(path, { minutes });
      expect([status, body]).toEqual([400, error("minutes must be between 1 and 1440")]);
    }
    expect(await raidOf(fixture)).toEqual({ until: null, joined: 0 });
    expect((await owner.delete(path)).status).toBe(204);
    const begun = await putRaid(fixture, 60);
    expect(await raidOf(fixture)).toEqual({ until: begun.until, joined: 1 });
    const changed = await putRaid(fixture, 5);
    expect(minutesUntil(changed.until)).toBe(5);
    expect((await owner.delete(path)).status).toBe(204);
    expect(await raidOf(fixture)).toEqual({ until: null, joined: 1 });
    const byOwner = { actor_id: owner.user.id, target_id: server.id };
    expect(await audit(fixture, "raid_start")).toEqual([
      expect.objectContaining({ ...byOwner, details: changed }),
      expect.objectContaining({ ...byOwner, details: begun }),
    ]);
    expect(await audit(fixture, "raid_end")).toEqual([expect.objectContaining({ ...byOwner, details: {} })]);
  });

  test("who joined during a raid is banned in one request, those who have left again included, and nobody of before", async () => {
    const fixture = await shielded(3, 1);
    const { owner, server, members } = fixture;
    const raiders = await newAccounts(5);
    for (const [index, raider] of raiders.entries()) await join(via(raider, index), server.id);
    const joined = raiders.slice(0, 4).map(({ user }) => user.id);
    expect((await raiders[0]?.delete(`/servers/${server.id}/leave`))?.status).toBe(204);
    const path = `/servers/${server.id}/raid/ban`;
    const lacking = await members[0]?.post(path, {});
    expect([lacking?.status, lacking?.body]).toEqual([403, error("You lack the required permission for this action")]);
    const { banned, failed } = (await owner.post(path, { reason: "raid" })).expect(200, BulkBan.strict());
    expect([banned.toSorted(), failed]).toEqual([joined.toSorted(), []]);
    const bans = (await owner.get(`/servers/${server.id}/bans`)).expect(200, z.array(Ban));
    expect(bans.map(({ user_id, reason }) => [user_id, reason]).sort()).toEqual(
      joined.map((id) => [id, "raid"]).sort(),
    );
    expect((await owner.post(path, {})).body).toEqual({ banned: [], failed: [] });
    expect(await raidOf(fixture)).toMatchObject({ joined: 4 });
    expect(await send(members[0] ?? owner, fixture)).toBe(201);
  });

  test("an end takes the joins of before with it: they begin no other raid", async () => {
    const fixture = await shielded(2);
    const { owner, server } = fixture;
    const accounts = await newAccounts(6);
    const joinAll = (users: UserClient[]) => Promise.all(users.map((user) => join(user, server.id)));
    expect(await joinAll(accounts.slice(0, 3))).toEqual([201, 201, 201]);
    expect((await owner.delete(`/servers/${server.id}/raid`)).status).toBe(204);
    expect(await joinAll(accounts.slice(3, 5))).toEqual([201, 201]);
    expect((await raidOf(fixture)).until).toBeNull();
    expect(await joinAll(accounts.slice(5))).toEqual([201]);
    expect((await raidOf(fixture)).until).not.toBeNull();
  });
});

test("an expired raid ends at once, and of two apis one announces that, once", async () => {
  const fixture = await createServerWithMembers(client, 1);
  const { server, members } = fixture;
  await putRaid(fixture, 5);
  expect(await send(members[0], fixture)).toEqual(silenced);
  await sql("UPDATE server_safety SET raid_until = now() WHERE server_id = $1", [server.id]);
  expect(await send(members[0], fixture)).toBe(201);
  await waitUntil(async () => (await audit(fixture, "raid_end")).length > 0);
  const next = await client.register();
  await joinServer(next, server.id);
  await putRaid(fixture, 5);
  expect((await fixture.owner.delete(`/servers/${server.id}/raid`)).status).toBe(204);
  const ends = await audit(fixture, "raid_end");
  expect(ends.map(({ actor_id }) => actor_id)).toEqual([fixture.owner.user.id, null]);
});
