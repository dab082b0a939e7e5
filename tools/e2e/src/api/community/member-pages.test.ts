import { randomUUID } from "node:crypto";
import { errorBody as error, Member, type Server } from "@parley/contracts";
import {
  type Answer,
  assignRole,
  createClient,
  createRole,
  createServer,
  joinServer,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let sql: pg.Client;
let owner: UserClient;
let server: Server;

beforeAll(async () => {
  stack = await sharedStack();
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
  owner = await createClient(stack.edgeUrl, { prefix: "/api" }).register();
  server = await createServer(owner, { is_public: true });
  await fill(server.id, "member", 2_500);
});
afterAll(async () => {
  await sql?.end();
});

/** New members; three joined in each millisecond, and every tenth is online and has a nickname. */
async function fill(serverId: string, name: string, count: number) {
  await sql.query(
    `WITH made AS (
        INSERT INTO users (username, status)
        SELECT $2 || '_' || n, CASE WHEN n % 10 = 0 THEN 'dnd' ELSE 'offline' END FROM generate_series(1, $3::int) AS n
        RETURNING id, username)
      INSERT INTO members (server_id, user_id, nickname, joined_at)
      SELECT $1, id, CASE WHEN username LIKE '%0' THEN '100%_' || username END,
        date_trunc('hour', now()) + interval '1 hour' + make_interval(secs => (random() * $3 / 3)::int / 1000.0)
      FROM made`,
    [serverId, name, count],
  );
}

const shape = z.array(Member.strict());
const pathOf = (query = "") => `/servers/${server.id}/members${query}`;
const listed = async (query = "") => (await owner.get(pathOf(query))).expect(200, shape);
const ids = (members: readonly Member[]) => members.map(({ user_id }) => user_id);
const nextOf = (answer: Answer) => /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];

/** Follows the links; `between` runs after each page. */
async function walk(query: string, between?: (page: readonly Member[]) => Promise<unknown>) {
  const found: Member[] = [];
  for (let path: string | undefined = pathOf(query); path !== undefined; ) {
    const answer: Answer = await owner.get(path);
    const page = answer.expect(200, shape);
    found.push(...page);
    // The client puts its prefix in front of every path.
    path = nextOf(answer)?.replace(/^\/api/, "");
    await between?.(page);
  }
  return found;
}

const expectedOrder = async (where = "") => {
  const { rows } = await sql.query<{ user_id: string }>(
    `SELECT m.user_id FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.server_id = $1 ${where} ORDER BY m.joined_at, m.user_id`,
    [server.id],
  );
  return rows.map(({ user_id }) => user_id);
};

describe("the whole list of members", () => {
  test("the whole list of members has every member once, in order, and is no different from the pages", async () => {
    const role = await createRole(owner, server.id, { name: 'quoted "role" ü' });
    await assignRole(owner, role, owner);
    const all = await listed();
    expect(all).toHaveLength(2_501);
    expect(ids(all)).toEqual(await expectedOrder());
    expect(all[0]).toEqual({
      user_id: owner.user.id,
      username: owner.username,
      avatar_url: null,
      status: "offline",
      custom_status: null,
      activity: null,
      nickname: null,
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      timeout_expires_at: null,
      roles: [{ id: role.id, name: role.name, color: role.color, position: role.position }],
    });
    expect(await walk("?limit=1000")).toEqual(all);
  });

  test("the whole list of members is sent to many at once, also when some do not wait for it", async () => {
    const impatient = Array.from({ length: 5 }, async () => {
      const abort = new AbortController();
      const headers = { authorization: `Bearer ${owner.accessToken}` };
      const response = await fetch(`${stack.edgeUrl}${pathOf()}`, { headers, signal: abort.signal });
      abort.abort();
      await response.text().catch(() => undefined);
    });
    const patient = Array.from({ length: 10 }, async () => expect(await listed()).toHaveLength(2_501));
    await Promise.all([...impatient, ...patient]);
  });
});

describe("pages of members", () => {
  test("lead to the next one until there is none, on the path that was asked", async () => {
    const first = await owner.get(pathOf("?limit=100&status=offline"));
    expect(first.expect(200, shape)).toHaveLength(100);
    expect(nextOf(first)).toMatch(
      new RegExp(`^/api/servers/${server.id}/members\\?limit=100&status=offline&position=`),
    );
    const exactly = await owner.get(pathOf("?limit=1000&status=online"));
    expect([exactly.expect(200, shape).length, exactly.headers.get("link")]).toEqual([250, null]);
    expect(ids(await walk("?limit=7&status=online"))).toEqual(await expectedOrder("AND u.status <> 'offline'"));
  });

  test("neither skip nor repeat anybody while others come and go, the last one of a page included", async () => {
    const place = await createServer(owner, { is_public: true });
    await fill(place.id, "guest", 60);
    const gone = new Set<string>();
    const found: string[] = [];
    let path: string | undefined = `/servers/${place.id}/members?limit=10`;
    const before = (await owner.get(`/servers/${place.id}/members`)).expect(200, shape);
    for (; path !== undefined; ) {
      const answer: Answer = await owner.get(path);
      const page = answer.expect(200, shape);
      found.push(...ids(page));
      path = nextOf(answer)?.replace(/^\/api/, "");
      const last = page.at(-1)?.user_id ?? "";
      if (last !== owner.user.id) {
        await sql.query("DELETE FROM members WHERE server_id = $1 AND user_id = $2", [place.id, last]);
        gone.add(last);
      }
    }
    expect(gone.size).toBeGreaterThan(3);
    expect(found).toEqual(ids(before));
  });

  test("begin after a member, and are empty after a stranger", async () => {
    const order = await expectedOrder();
    expect(ids(await listed(`?after=${order[4]}&limit=3`))).toEqual(order.slice(5, 8));
    expect(ids(await listed(`?after=${order.at(-1)}`))).toEqual([]);
    expect(await listed(`?after=${randomUUID()}`)).toEqual([]);
    expect(await listed("?limit=1")).toHaveLength(1);
    expect(await listed("?q=")).toHaveLength(100);
  });

  test("fold the case of nicknames fully, whatever the normal form that is asked for", async () => {
    const place = await createServer(owner, { is_public: true });
    await fill(place.id, "folded", 3);
    const others = (await owner.get(`/servers/${place.id}/members`)).expect(200, shape).slice(-3);
    const names = ["Straße 7", "Caf\u00e9", "ΛΟΓΟΣ"];
    for (const [at, { user_id }] of others.entries()) {
      const values = [place.id, user_id, names[at]];
      await sql.query("UPDATE members SET nickname = $3 WHERE server_id = $1 AND user_id = $2", values);
    }
    for (const [at, q] of ["STRASSE", "CAFE\u0301", "λογος"].entries()) {
      const found = await owner.get(`/servers/${place.id}/members?q=${encodeURIComponent(q)}`);
      expect(found.expect(200, shape).map(({ nickname }) => nickname)).toEqual([names[at]]);
    }
  });

  test("find the beginnings of names in any case, % and _ as they are", async () => {
    expect(ids(await listed("?q=MEMBER_12&limit=1000"))).toEqual(await expectedOrder("AND u.username ~ '^member_12'"));
    expect(ids(await walk("?q=100%25_&limit=100"))).toEqual(await expectedOrder("AND m.nickname IS NOT NULL"));
    expect(await listed("?q=%25")).toEqual([]);
    expect(await listed("?q=ember")).toEqual([]);
    expect(await listed(`?q=${encodeURIComponent("a\\")}`)).toEqual([]);
  });

  test("find who has a role, together with the other filters", async () => {
    const role = await createRole(owner, server.id);
    const holders = (await expectedOrder("AND u.username ~ '^member_[0-9]*[05]$'")).slice(0, 150);
    await sql.query("INSERT INTO member_roles SELECT $1, unnest($2::uuid[]), $3", [server.id, holders, role.id]);
    expect(ids(await walk(`?role_id=${role.id}&limit=40`))).toEqual(holders);
    const both = await walk(`?role_id=${role.id}&status=online&q=100&limit=1000`);
    expect(ids(both)).toEqual((await expectedOrder("AND u.status <> 'offline'")).filter((id) => holders.includes(id)));
    expect(await listed(`?role_id=${randomUUID()}`)).toEqual([]);
  });

  test.each([
    ["limit=0", "Limit must be 1-1000"],
    ["limit=1001", "Limit must be 1-1000"],
    ["limit=x", "Limit must be 1-1000"],
    ["after=x", "Invalid after"],
    [`q=${"x".repeat(101)}`, "q must be at most 100 characters"],
    ["status=dnd", "status must be online or offline"],
    ["role_id=x", "Invalid role_id"],
    ["position=x", "Invalid position"],
  ])("pages of members are refused with %s", async (query, text) => {
    const answer = await owner.get(pathOf(`?${query}`));
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("show their link to browsers", async () => {
    const answer = await owner.send("GET", pathOf("?limit=1"), { headers: { origin: "https://example.org" } });
    expect(answer.headers.get("access-control-expose-headers")?.split(",")).toContain("Link");
  });
});

describe("a member", () => {
  test("a member is found by id, and a stranger is not", async () => {
    const [first] = await listed("?limit=1");
    const answer = await owner.get(pathOf(`/${owner.user.id.toUpperCase()}`));
    expect(answer.expect(200, Member.strict())).toEqual(first);
    const stranger = await createClient(stack.edgeUrl).register();
    for (const id of [randomUUID(), stranger.user.id]) {
      const missing = await owner.get(pathOf(`/${id}`));
      expect([missing.status, missing.body]).toEqual([404, error("Member not found")]);
    }
    expect((await owner.get(pathOf("/x"))).body).toEqual(error("Invalid identifier"));
    for (const path of [pathOf(`/${owner.user.id}`), pathOf("/count"), pathOf(), pathOf("?limit=1")]) {
      const refused = await stranger.get(path);
      expect([path, refused.status, refused.body]).toEqual([path, 404, error("Server not found")]);
    }
  });

  test("a member is counted, on every api the same", async () => {
    const place = await createServer(owner, { is_public: true });
    await fill(place.id, "counted", 40);
    await joinServer(await createClient(stack.edgeUrl).register(), place.id);
    for (const { url } of stack.apis) {
      const client = createClient(url, { authorization: `Bearer ${owner.accessToken}` });
      const counts = z.strictObject({ total: z.int(), online: z.int() });
      const answers = await Promise.all([1, 2, 3].map(() => client.get(`/servers/${place.id}/members/count`)));
      for (const answer of answers) expect(answer.expect(200, counts)).toEqual({ total: 42, online: 4 });
    }
  });
});
