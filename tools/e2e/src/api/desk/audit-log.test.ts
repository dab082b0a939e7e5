import { randomUUID } from "node:crypto";
import { AuditLogEntry, auditActions, errorBody as error } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let database: Database;
let client: RestClient;
let fixture: ServerFixture;
let owner: UserClient;
let member: UserClient;
let path: string;

const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  stack = await sharedStack();
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 1);
  owner = fixture.owner;
  member = fixture.members[0] ?? owner;
  path = `/servers/${fixture.server.id}/audit-logs`;
});
afterAll(async () => {
  await database?.close();
});

const read = async (query: Record<string, string> = {}, address = path) =>
  (await owner.get(`${address}?${new URLSearchParams(query)}`)).expect(200, z.array(AuditLogEntry.strict()));

/** A server with entries at the given milliseconds after one moment, made by hand; answers their ids, newest first. */
async function serverWithEntries(milliseconds: readonly number[]) {
  const { id } = await database.prisma.server.create({
    data: { name: "Log", owner_id: owner.user.id },
  });
  await database.prisma.member.create({ data: { server_id: id, user_id: owner.user.id } });
  const actions = Object.keys(auditActions);
  for (const [index, offset] of milliseconds.entries()) {
    const action = actions[index % actions.length] ?? "";
    await database.prisma.auditLogEntry.create({
      data: { server_id: id, actor_id: owner.user.id, action, created_at: new Date(1_790_000_000_000 + offset) },
    });
  }
  const address = `/servers/${id}/audit-logs`;
  return { id, address, all: (await read({ limit: "100" }, address)).map((entry) => entry.id) };
}

describe("the audit log", () => {
  test("the audit log shows the owner all actions, newest first, over both prefixes", async () => {
    const role = await createRole(owner, fixture.server.id, { name: "Reds" });
    const entries = await read();
    expect(entries[0]).toEqual({
      id: expect.any(String),
      server_id: fixture.server.id,
      actor_id: owner.user.id,
      action: "role_create",
      target_type: "role",
      target_id: role.id,
      details: { name: "Reds", permissions: 0 },
      ip_address: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(entries.map(({ action }) => action)).toEqual(["role_create", "channel_create", "server_create"]);
    const prefixed = createClient(stack.edgeUrl, { prefix: "/api", authorization: `Bearer ${owner.accessToken}` });
    expect((await prefixed.get(path)).body).toEqual(entries);
  });

  test("the audit log combines its filters", async () => {
    await createChannel(owner, fixture.server.id);
    expect(new Set((await read({ action: "channel_create" })).map(({ action }) => action))).toEqual(
      new Set(["channel_create"]),
    );
    expect((await read({ target_type: "server" })).map(({ action }) => action)).toEqual(["server_create"]);
    expect(await read({ target_type: "server", action: "channel_create" })).toEqual([]);
    expect(await read({ actor_id: owner.user.id.toUpperCase() })).toEqual(await read());
    expect(await read({ actor_id: member.user.id })).toEqual([]);
    expect(await read({ action: "no_such_action" })).toEqual([]);
    expect(await read({ target_type: "nothing" })).toEqual([]);
  });

  test("pages by entry id neither skip nor repeat entries of the same millisecond", async () => {
    const { address, all } = await serverWithEntries([3, 3, 3, 3, 1, 1, 1, 2, 2, 0]);
    for (const limit of [1, 2, 3, 7]) {
      const seen: string[] = [];
      for (;;) {
        const before = seen.at(-1);
        const page = await read({ limit: `${limit}`, ...(before === undefined ? {} : { before }) }, address);
        seen.push(...page.map(({ id }) => id));
        if (page.length < limit) break;
      }
      expect(seen).toEqual(all);
    }
    expect(new Set(all).size).toBe(10);
  });

  test("a timestamp selects strictly older entries", async () => {
    const { address, all } = await serverWithEntries([2, 2, 1, 0]);
    const [newest, , third] = await read({}, address);
    const ids = async (before: string) => (await read({ before }, address)).map(({ id }) => id);
    expect(await ids(newest?.created_at ?? "")).toEqual(all.slice(2));
    expect(await ids(third?.created_at ?? "")).toEqual(all.slice(3));
    expect(await ids(new Date(1_790_000_000_003).toISOString().replace("Z", "+00:00"))).toEqual(all);
    expect(await ids("9999-12-31T23:59:59-14:00")).toEqual(all);
    expect(await ids("0000-01-01T00:00:00Z")).toEqual([]);
  });

  test("a cursor that is no entry of this server finds nothing", async () => {
    const { all } = await serverWithEntries([0]);
    expect(await read({ before: randomUUID() })).toEqual([]);
    expect(await read({ before: all[0] ?? "" })).toEqual([]);
  });

  test("the audit log shows 50 entries by default, and between 1 and 100", async () => {
    const { address, all } = await serverWithEntries(Array.from({ length: 105 }, (_, index) => index));
    expect(all).toHaveLength(100);
    expect(await read({}, address)).toHaveLength(50);
    expect(await read({ limit: "0" }, address)).toHaveLength(1);
    expect(await read({ limit: "-5" }, address)).toHaveLength(1);
    expect(await read({ limit: "1000" }, address)).toHaveLength(100);
  });
});

describe("reading the audit log is refused", () => {
  test.each([
    ["limit=ten", "limit must be an integer"],
    ["limit=1.5", "limit must be an integer"],
    ["actor_id=me", "Invalid actor_id"],
    ["before=yesterday", "Invalid before"],
    ["before=2026-01-02", "Invalid before"],
    ["before=", "Invalid before"],
    ["before=a&before=b", "Invalid before"],
    ["action=a%00", "Invalid action"],
    ["target_type=a%00", "Invalid target_type"],
  ])("reading the audit log is refused with %s", async (query, text) => {
    const answer = await member.get(`${path}?${query}`);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("reading the audit log is refused to strangers with 404, to members with 403", async () => {
    const stranger = await client.register();
    for (const [by, address] of [
      [stranger, path],
      [owner, `/servers/${randomUUID()}/audit-logs`],
    ] as const) {
      const answer = await by.get(address);
      expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    }
    const answer = await member.get(path);
    expect([answer.status, answer.body]).toEqual([403, error("Only the server owner can view audit logs")]);
    expect((await owner.get("/servers/x/audit-logs")).body).toEqual(error("Invalid identifier"));
  });
});
