import { Ban, errorBody as error, permissionBits } from "@parley/contracts";
import {
  assignRole,
  connectWitnesses,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  joinServer,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
let moderator: UserClient;
let plain: UserClient;
let serverId: string;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  const fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, moderator, plain] = [fixture.owner, first, second];
  serverId = fixture.server.id;
  const role = await createRole(owner, serverId, { permissions: permissionBits.BAN_MEMBERS });
  await assignRole(owner, role, moderator);
});

const ban = (user: UserClient, reason?: string) =>
  moderator.post(`/servers/${serverId}/members/${user.user.id}/ban`, { reason });
const unban = (by: UserClient, userId: string) => by.delete(`/servers/${serverId}/bans/${userId}`);
const listBans = async () => (await moderator.get(`/servers/${serverId}/bans`)).expect(200, z.array(Ban.strict()));

describe("bans", () => {
  test("bans are listed newest first; a second one changes reason and author and keeps its time", async () => {
    const [first, second] = [await client.register(), await client.register()];
    expect((await ban(first, "one")).status).toBe(204);
    expect((await ban(second)).status).toBe(204);
    const before = await listBans();
    expect(before).toMatchObject([
      { user_id: second.user.id, server_id: serverId, banned_by: moderator.user.id, reason: null },
      { user_id: first.user.id, server_id: serverId, banned_by: moderator.user.id, reason: "one" },
    ]);
    const path = `/servers/${serverId}/members/${first.user.id}/ban`;
    expect((await owner.post(path, { reason: "two" })).status).toBe(204);
    expect(await listBans()).toEqual([before[0], { ...before[1], reason: "two", banned_by: owner.user.id }]);
  });

  test("bans are listed whole and in pieces, however many there are", async () => {
    const { id } = await createServer(owner);
    const sql = new pg.Client({ connectionString: stack.databaseUrl });
    await sql.connect();
    // Three in each millisecond, so that pieces end between bans of the same time.
    const { rows } = await sql.query(
      `WITH made AS (
          INSERT INTO users (username) SELECT 'one_of_many_' || n FROM generate_series(1, 3000) AS n RETURNING id, username),
        banned AS (
          INSERT INTO bans (server_id, user_id, reason, created_at)
          SELECT $1, id, 'reason "' || username, now() + make_interval(secs => (random() * 1000)::int / 1000.0) FROM made
          RETURNING user_id, created_at)
        SELECT user_id FROM banned ORDER BY created_at DESC, user_id DESC`,
      [id],
    );
    const ordered = z.array(z.object({ user_id: z.string() })).parse(rows);
    const list = async () => {
      const answer = await owner.get(`/servers/${id}/bans`);
      return { length: answer.headers.get("content-length"), bans: answer.expect(200, z.array(Ban.strict())) };
    };
    const whole = await list();
    expect(whole.length).toBeNull();
    expect(whole.bans.map(({ user_id }) => user_id)).toEqual(ordered.map(({ user_id }) => user_id));
    await sql.query("DELETE FROM bans WHERE server_id = $1 AND user_id <> ALL ($2::uuid[])", [
      id,
      ordered.slice(0, 1_000).map(({ user_id }) => user_id),
    ]);
    expect((await list()).bans).toEqual(whole.bans.slice(0, 1_000));
    await sql.end();
  });

  test("keep out until they end, also through an invite", async () => {
    const target = await client.register();
    await joinServer(target, serverId);
    const invite = (await owner.post(`/servers/${serverId}/invites`, {})).expect(201, z.object({ code: z.string() }));
    expect((await ban(target)).status).toBe(204);
    for (const path of [`/servers/${serverId}/join`, `/invites/${invite.code}/accept`]) {
      const { status, body } = await target.post(path);
      expect([status, body]).toEqual([403, error("You are banned from this server")]);
    }
    expect((await unban(moderator, target.user.id)).status).toBe(204);
    await joinServer(target, serverId);
  });

  test("bans of a stranger and their end are announced to members alone, also when nobody was banned", async () => {
    const stranger = await client.register();
    const witnesses = await connectWitnesses(stack, { insiders: [owner, plain], outsiders: [stranger] });
    const member = { server_id: serverId, user_id: stranger.user.id };
    expect((await ban(stranger, "known spammer")).status).toBe(204);
    for (let count = 0; count < 2; count += 1) expect((await unban(owner, stranger.user.id)).status).toBe(204);
    await witnesses.expectEvents(
      ["MEMBER_BAN", { ...member, reason: "known spammer" }],
      ["MEMBER_UNBAN", member],
      ["MEMBER_UNBAN", member],
    );
    witnesses.close();
    const audit = (await owner.get(`/servers/${serverId}/audit-logs?limit=1`)).expect(200, z.array(z.unknown()));
    expect(audit).toEqual([
      expect.objectContaining({
        action: "member_unban",
        actor_id: owner.user.id,
        target_type: "user",
        target_id: stranger.user.id,
        details: {},
      }),
    ]);
  });

  test("bans and joins at the same moment never leave a banned member", async () => {
    for (let round = 0; round < 10; round += 1) {
      const target = await client.register();
      const [joined, banned] = await Promise.all([target.post(`/servers/${serverId}/join`), ban(target)]);
      expect(banned.status).toBe(204);
      expect([201, 403]).toContain(joined.status);
      expect((await target.get(`/servers/${serverId}`)).status).toBe(404);
      expect((await target.post(`/servers/${serverId}/join`)).status).toBe(403);
    }
  });

  test("bans are seen and ended by those who may ban; oneself and the owner are no exception there", async () => {
    const stranger = await client.register();
    const other = await createServer(await client.register());
    const missing = [404, error("Server not found")];
    const lacking = [403, error("You lack the required permission for this action")];
    for (const [by, server, expected] of [
      [stranger, serverId, missing],
      [owner, other.id, missing],
      [plain, serverId, lacking],
    ] as const) {
      const list = await by.get(`/servers/${server}/bans`);
      const end = await by.delete(`/servers/${server}/bans/${owner.user.id}`);
      expect([list.status, list.body]).toEqual(expected);
      expect([end.status, end.body]).toEqual(expected);
    }
    for (const userId of [moderator.user.id, owner.user.id]) expect((await unban(moderator, userId)).status).toBe(204);
    const malformed = await unban(moderator, "nobody");
    expect([malformed.status, malformed.body]).toEqual([400, error("Invalid identifier")]);
  });
});
