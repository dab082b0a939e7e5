import { errorBody as error } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  joinServer,
  type ServerFixture,
  type UserClient,
  type Users,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AdminStage, startAdminStage } from "../stages/admin-stage.js";

let stage: AdminStage;
let sql: pg.Client;
let room: ServerFixture<Users<2>>;
/** Ids of the server, its channels and its roles, which stored rows may still name. */
let parents: string[];

beforeAll(async () => {
  // Its own: a purge loads its api.
  stage = await startAdminStage({ gateways: 0 });
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await stage?.stack.stop();
});

const belongings = {
  members: "server_id",
  member_roles: "server_id",
  bans: "server_id",
  timeouts: "server_id",
  read_states: "channel_id",
};
const count = async (from: string, values: unknown[]) => {
  const { rows } = await sql.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${from}`, values);
  return rows[0]?.count ?? -1;
};
const stored = async () => {
  const counts: Record<string, number> = {
    orphans: await count("orphans WHERE parent_id = ANY ($1)", [parents]),
  };
  for (const [table, column] of Object.entries(belongings)) {
    counts[table] = await count(`${table} WHERE ${column} = ANY ($1)`, [parents]);
  }
  return counts;
};
const nothing = { orphans: 0, members: 0, member_roles: 0, bans: 0, timeouts: 0, read_states: 0 };
const emptied = () =>
  waitUntil(async () => Object.values(await stored()).every((rows) => rows === 0), { timeoutMs: 60_000 });

/** Enough of everything for many batches. */
async function fill(holders: number) {
  const { owner, server, channel } = room;
  const channels = [channel, await createChannel(owner, server.id)];
  const roles = [await createRole(owner, server.id), await createRole(owner, server.id)];
  parents = [server.id, ...channels.map(({ id }) => id), ...roles.map(({ id }) => id)];
  const { rows } = await sql.query<{ id: string }>(
    "INSERT INTO users (username) SELECT $1 || n FROM generate_series(1, $2::int) AS n RETURNING id",
    [`h${server.id.slice(-10)}_`, holders],
  );
  const ids = rows.map(({ id }) => id);
  await sql.query("INSERT INTO members (server_id, user_id) SELECT $1, unnest($2::uuid[])", [server.id, ids]);
  await sql.query(
    "INSERT INTO member_roles (server_id, user_id, role_id) SELECT $1, u, r FROM unnest($2::uuid[]) u, unnest($3::uuid[]) r",
    [server.id, ids, roles.map(({ id }) => id)],
  );
  await sql.query("INSERT INTO read_states SELECT u, c, now() FROM unnest($1::uuid[]) u, unnest($2::uuid[]) c", [
    ids,
    channels.map(({ id }) => id),
  ]);
  await sql.query("INSERT INTO bans (server_id, user_id) SELECT $1, unnest($2::uuid[])", [server.id, ids]);
  await sql.query("INSERT INTO timeouts (server_id, user_id, expires_at) SELECT $1, unnest($2::uuid[]), now()", [
    server.id,
    ids,
  ]);
}

/** Locks the server's rows, except those of one user, against the purge; calling the result releases them. */
async function hold(except: UserClient): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  for (const [table, column] of Object.entries(belongings)) {
    await holder.query(`SELECT FROM ${table} WHERE ${column} = ANY ($1) AND user_id <> $2 FOR UPDATE`, [
      parents,
      except.user.id,
    ]);
  }
  return () => holder.end();
}

describe("a server with very many members", () => {
  beforeEach(async () => {
    room = await createServerWithMembers(stage.client, 2);
  });

  test("a server with very many members is gone for everybody at once, however long its rows stay", async () => {
    const { admin, client } = stage;
    const { owner, server, members } = room;
    const [ann, bea] = members;
    await fill(1_000);
    const elsewhere = await createServer(await client.register(), { is_public: true });
    // 199 others of hers: with this one she has as many as one may.
    await sql.query(
      `WITH made AS (INSERT INTO servers (name, owner_id) SELECT 's', $2 FROM generate_series(1, 199) RETURNING id)
        INSERT INTO members (server_id, user_id) SELECT id, $1 FROM made`,
      [ann.user.id, admin.user.id],
    );
    expect((await ann.post(`/servers/${elsewhere.id}/join`)).body).toEqual(error("Limit of 200 memberships reached"));

    const release = await hold(bea);
    expect((await owner.delete(`/servers/${server.id}`)).status).toBe(204);
    expect((await stored()).members).toBeGreaterThan(1_000);
    for (const path of ["", "/members", "/bans", "/roles", "/channels"]) {
      expect((await ann.get(`/servers/${server.id}${path}`)).body).toEqual(error("Server not found"));
    }
    expect((await ann.get("/servers")).expect(200, z.array(z.object({ id: z.string() })))).toHaveLength(199);
    const AdminUsers = z.object({ users: z.array(z.object({ server_count: z.int() })) });
    const listed = await admin.get(`/admin/users?search=${ann.username}`);
    expect(listed.expect(200, AdminUsers).users).toEqual([expect.objectContaining({ server_count: 199 })]);
    await joinServer(ann, elsewhere.id);
    expect((await admin.delete(`/admin/users/${bea.user.id}`)).status).toBe(204);
    expect(await count("users WHERE id = $1", [bea.user.id])).toBe(0);
    await release();
    await emptied();
    expect((await ann.get("/servers")).expect(200, z.array(z.unknown()))).toHaveLength(200);
  });

  test("a server with very many members is emptied by a living process when the one that began is killed", async () => {
    await fill(3_000);
    const [first, second] = stage.stack.apis;
    await second?.stop();
    const alone = createClient(first?.url ?? "", { authorization: `Bearer ${room.owner.accessToken}` });
    const before = await stored();
    expect((await alone.delete(`/servers/${room.server.id}`)).status).toBe(204);
    await waitUntil(async () => (await stored()).bans !== before.bans);
    await first?.kill();
    expect((await stored()).members).toBeGreaterThan(0);
    await second?.restart();
    await emptied();
    await first?.restart();
  });

  test("a server with very many members takes nothing that comes while it is deleted, and keeps none", async () => {
    const { owner, server, channel, members } = room;
    await fill(500);
    const strangers = await Promise.all(Array.from({ length: 10 }, () => stage.client.register()));
    const [ann] = members;
    const answers = await Promise.all(
      strangers.flatMap((stranger, index) => {
        const at = (user: UserClient) =>
          createClient(stage.stack.apis[index % 2]?.url ?? "", { authorization: `Bearer ${user.accessToken}` });
        const requests = [
          at(stranger).post(`/servers/${server.id}/join`),
          at(owner).post(`/servers/${server.id}/members/${stranger.user.id}/ban`, {}),
          at(owner).post(`/servers/${server.id}/members/${ann?.user.id}/timeout`, { duration_minutes: 5 }),
          at(ann ?? owner).post(`/channels/${channel.id}/ack`),
        ];
        return index === 5 ? [at(owner).delete(`/servers/${server.id}`), ...requests] : requests;
      }),
    );
    for (const { status } of answers) expect(status).toBeLessThan(500);
    expect((await owner.get(`/servers/${server.id}`)).status).toBe(404);
    await emptied();
    expect(await stored()).toEqual(nothing);
  });
});
