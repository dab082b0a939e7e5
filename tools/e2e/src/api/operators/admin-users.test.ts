import { randomUUID } from "node:crypto";
import { AuthResponse, errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, createBotClient, readAdminLog, runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(await sharedStack()));
});

const AdminUser = z.strictObject({
  id: z.uuid(),
  username: z.string(),
  email: z.string().nullable(),
  avatar_url: z.string().nullable(),
  status: z.string(),
  is_admin: z.boolean(),
  disabled: z.boolean(),
  disabled_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  server_count: z.int(),
  message_count: z.int(),
});
const Page = z.strictObject({ users: z.array(AdminUser), total: z.int(), page: z.int(), per_page: z.int() });
const list = async (query = "") => (await admin.get(`/admin/users${query}`)).expect(200, Page);
const patch = (userId: string, body: unknown) => admin.patch(`/admin/users/${userId}`, body);
const setAdmin = (userId: string, isAdmin: boolean) =>
  runSql(stack.databaseUrl, "UPDATE users SET is_admin = $2 WHERE id = $1", [userId, isAdmin]);

describe("the list of accounts", () => {
  test("the list of accounts has everything of an account, bots included, with exact counts", async () => {
    const { owner, members, channel } = await createServerWithMembers(client, 1);
    const bot = await createBotClient(owner);
    for (const content of ["one", "two", "three"]) await postMessage(owner, channel.id, content);
    const { users } = await list(`?search=${owner.username}`);
    expect(users).toEqual([
      {
        id: owner.user.id,
        username: owner.username,
        email: null,
        avatar_url: null,
        status: "offline",
        is_admin: false,
        disabled: false,
        disabled_at: null,
        created_at: owner.user.created_at,
        server_count: 1,
        message_count: 3,
      },
    ]);
    const newest = (await list("?per_page=3")).users;
    expect(newest.map(({ id }) => id)).toEqual([bot.user_id, members[0]?.user.id, owner.user.id]);
  });

  test("the list of accounts begins with those who have written most, if that is asked for", async () => {
    const { channel, server } = await createServerWithMembers(client, 0);
    const name = `ranked_${randomUUID().slice(0, 8)}`;
    const ranked = [];
    for (const [place, count] of [0, 3, 1].entries()) {
      const user = await client.register({ username: `${name}_${place}` });
      await joinServer(user, server.id);
      for (let sent = 0; sent < count; sent += 1) await postMessage(user, channel.id, "counted");
      ranked.push(user.user.id);
    }
    const { users } = await list(`?search=${name}&sort_by=message_count`);
    expect(users.map(({ id, message_count }) => [id, message_count])).toEqual([
      [ranked[1], 3],
      [ranked[2], 1],
      [ranked[0], 0],
    ]);
  });

  test("the list of accounts is read in pages, in three orders", async () => {
    await runSql(stack.databaseUrl, "INSERT INTO users (username) SELECT 'Paged_' || n FROM generate_series(1, 25) n");
    const all = await list("?search=paged_&per_page=100&sort_by=username");
    expect(all).toMatchObject({ total: 25, page: 1, per_page: 100 });
    const names = all.users.map(({ username }) => username);
    expect(names).toEqual(names.toSorted());
    for (const sort of ["username", "created_at", "message_count"]) {
      const pages = [];
      for (const page of [1, 2, 3, 4]) {
        const { users, total } = await list(`?search=PAGED_&per_page=10&page=${page}&sort_by=${sort}`);
        expect(total).toBe(25);
        pages.push(users.map(({ username }) => username));
      }
      expect(pages.map((page) => page.length)).toEqual([10, 10, 5, 0]);
      expect(new Set(pages.flat())).toEqual(new Set(names));
    }
  });

  test.each([
    ["%25", 0],
    ["_aged", 0],
    ["P", 25],
    ["ge", 25],
    ["aged_25", 1],
    ["no such name", 0],
  ])("the list of accounts searches for %s as it is", async (search, least) => {
    const { users, total } = await list(`?search=${search}&per_page=100`);
    expect(total).toBeGreaterThanOrEqual(least);
    if (least === 0) expect(users).toEqual([]);
    const text = decodeURIComponent(search).toLowerCase();
    expect(users.filter(({ username }) => !username.toLowerCase().includes(text))).toEqual([]);
  });

  test.each([
    ["page=0", "page must be 1 or more"],
    ["page=x", "page must be 1 or more"],
    ["per_page=0", "per_page must be 1-100"],
    ["per_page=101", "per_page must be 1-100"],
    [`search=${"x".repeat(101)}`, "search must be at most 100 characters"],
    ["sort_by=email", "sort_by must be username, created_at or message_count"],
  ])("the list of accounts refuses the query %s", async (query, text) => {
    const answer = await admin.get(`/admin/users?${query}`);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });
});

describe("a disabled account", () => {
  test("a disabled account is refused at once, at every api and gateway, until it is enabled again", async () => {
    const ann = await client.register();
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, ann.accessToken));
    await Promise.all(sockets.map(({ ready }) => ready));
    const disabled = (await patch(ann.user.id, { disabled: true })).expect(200, AdminUser);
    expect(disabled).toMatchObject({ id: ann.user.id, disabled: true, disabled_at: expect.any(String) });
    for (const { url } of stack.apis) {
      const answer = await createClient(url).withAuthorization(`Bearer ${ann.accessToken}`).get("/users/@me");
      expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
    }
    for (const { closed } of sockets) expect((await closed).code).toBe(1000);
    for (const { url } of stack.gateways) {
      expect((await connectGateway(url, ann.accessToken).rejected).status).toBe(401);
    }
    const login = (password: string) => client.post("/auth/login", { username: ann.username, password });
    const refresh = () => client.post("/auth/refresh", { refresh_token: ann.refreshToken });
    for (const answer of [await login(ann.password), await refresh(), await refresh()]) {
      expect([answer.status, answer.body]).toEqual([403, error("Account is disabled")]);
    }
    expect((await login("wrong password")).status).toBe(401);
    expect((await client.post("/auth/refresh", { refresh_token: "never valid" })).status).toBe(401);

    expect((await patch(ann.user.id, { disabled: false })).expect(200, AdminUser)).toMatchObject({
      disabled: false,
      disabled_at: null,
    });
    expect((await refresh()).status).toBe(401);
    const { access_token } = (await login(ann.password)).expect(200, AuthResponse);
    expect((await client.withAuthorization(`Bearer ${access_token}`).get("/users/@me")).status).toBe(200);
    expect((await ann.get("/users/@me")).status).toBe(401);
  });

  test("a disabled account may be a bot's", async () => {
    const bot = await createBotClient(await client.register());
    expect((await bot.client.get("/users/@me")).status).toBe(200);
    expect((await patch(bot.user_id, { disabled: true })).status).toBe(200);
    const answer = await bot.client.get("/users/@me");
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or revoked bot token")]);
    const wrong = await patch(bot.user_id, { is_admin: true });
    expect([wrong.status, wrong.body]).toEqual([400, error("Bots cannot be administrators")]);
  });
});

describe("changes of accounts by administrators", () => {
  test("give and take administration, and are logged", async () => {
    const ann = await client.register();
    expect((await patch(ann.user.id, { is_admin: true })).expect(200, AdminUser).is_admin).toBe(true);
    expect((await ann.get("/admin/settings")).status).toBe(200);
    expect((await patch(ann.user.id, { is_admin: false })).expect(200, AdminUser).is_admin).toBe(false);
    expect((await ann.get("/admin/settings")).status).toBe(403);
    const entries = await readAdminLog(admin, "?limit=2");
    expect(entries).toMatchObject([
      { action: "user_update", target_type: "user", target_id: ann.user.id, details: { is_admin: false } },
      { action: "user_update", admin_id: admin.user.id, details: { username: ann.username, is_admin: true } },
    ]);
    for (const body of [{}, { is_admin: false, disabled: null }]) {
      expect((await patch(ann.user.id, body)).status).toBe(200);
    }
    expect(await readAdminLog(admin, "?limit=2")).toEqual(entries);
  });

  test("changes of accounts by administrators are refused for oneself, unknown accounts and wrong values", async () => {
    const ann = await client.register();
    const cases = [
      [admin.user.id, { disabled: true }, 400, "You cannot do this to your own account"],
      [admin.user.id.toUpperCase(), { is_admin: false }, 400, "You cannot do this to your own account"],
      [crypto.randomUUID(), { disabled: true }, 404, "User not found"],
      ["1", {}, 400, "Invalid identifier"],
      [ann.user.id, { disabled: "yes" }, 400, "disabled must be true or false"],
      [ann.user.id, { is_admin: 1 }, 400, "is_admin must be true or false"],
    ] as const;
    for (const [id, body, status, text] of cases) {
      const answer = await patch(id, body);
      expect([id, answer.status, answer.body]).toEqual([id, status, error(text)]);
    }
    for (const [method, path] of [
      ["GET", "/admin/users"],
      ["PATCH", `/admin/users/${crypto.randomUUID()}`],
    ] as const) {
      const answer = await ann.send(method, path);
      expect([answer.status, answer.body]).toEqual([403, error("Admin access required")]);
    }
  });

  test("changes of accounts by administrators do not take away the rights that the setting grants", async () => {
    const listed = await client.register();
    await runSql(stack.databaseUrl, "UPDATE users SET admin_by_setting = true WHERE id = $1", [listed.user.id]);
    const answer = await patch(listed.user.id, { is_admin: false });
    expect([answer.status, answer.body]).toEqual([400, error("This administrator is set by PARLEY_ADMINS")]);
    await runSql(stack.databaseUrl, "UPDATE users SET admin_by_setting = false WHERE id = $1", [listed.user.id]);
  });

  test.each([[{ is_admin: false }], [{ disabled: true }]])(
    "leave one of two administrators who do %j to each other at once",
    async (body) => {
      const pair = [await client.register(), await client.register()] as const;
      const [ann, bob] = pair;
      await Promise.all(pair.map(({ user }) => setAdmin(user.id, true)));
      await setAdmin(admin.user.id, false);
      try {
        const answers = await Promise.all([
          ann.patch(`/admin/users/${bob.user.id}`, body),
          bob.patch(`/admin/users/${ann.user.id}`, body),
        ]);
        const refused = answers.filter(({ status }) => status !== 200);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        // The loser was asked who it is before or after it lost.
        expect(refused.map(({ status, body }) => [status, body])).toEqual([
          refused[0]?.status === 400
            ? [400, error("At least one administrator must remain")]
            : refused[0]?.status === 403
              ? [403, error("Admin access required")]
              : [401, error("Invalid or expired token")],
        ]);
      } finally {
        await setAdmin(admin.user.id, true);
        await Promise.all(pair.map(({ user }) => setAdmin(user.id, false)));
      }
    },
  );
});
