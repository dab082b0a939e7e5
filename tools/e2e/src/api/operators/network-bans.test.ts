import { errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  type EquippedStack,
  type RestClient,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, readAdminLog, runSql } from "../stages/admin-stage.js";

let stack: EquippedStack;
let admin: UserClient;
let apis: RestClient[];
beforeAll(async () => {
  ({ stack, admin } = await createAdminStage(await sharedStack()));
  apis = stack.apis.map(({ url }) => createClient(url));
});
afterEach(async () => {
  await runSql(stack.databaseUrl, "DELETE FROM network_bans");
});

const Ban = z.object({
  id: z.string(),
  cidr: z.string(),
  reason: z.string().nullable(),
  expires_at: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: z.string(),
});
const Page = z.object({ bans: z.array(Ban), total: z.int() });
const ban = async (fields: object) => (await admin.post("/admin/network-bans", fields)).expect(201, Ban);
const list = async (query = "") => (await admin.get(`/admin/network-bans${query}`)).expect(200, Page);
const blocked = error("This network is blocked");
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

/** Every request by which a session begins or goes on. */
const entrances: [method: string, path: string, body?: object][] = [
  ["POST", "/auth/register", {}],
  ["POST", "/auth/login", {}],
  ["POST", "/auth/refresh", {}],
  ["POST", "/auth/passkeys/authentication/options"],
  ["POST", "/auth/passkeys/authentication", {}],
  ["POST", "/auth/passkeys/second-factor/options", {}],
  ["GET", "/auth/oidc/start"],
  ["POST", "/auth/oidc/session", {}],
];

/** The status of a refresh without a token at each api, which says whether the network is banned there. */
const everywhere = (address: string) =>
  Promise.all(
    apis.map(async (api) => (await api.send("POST", "/auth/refresh", { body: {}, ...from(address) })).status),
  );

test("bans are listed with the newest first, and end when they are deleted", async () => {
  const first = await ban({ cidr: "203.0.113.9/24", reason: "spam" });
  expect(first).toMatchObject({ cidr: "203.0.113.0/24", reason: "spam", expires_at: null, created_by: admin.user.id });
  const second = await ban({ cidr: "2001:DB8::/32", expires_in_minutes: 5 });
  expect(second).toMatchObject({ cidr: "2001:db8::/32", reason: null });
  expect(Date.parse(second.expires_at ?? "") - Date.parse(second.created_at)).toBe(300_000);
  expect(await list()).toEqual({ bans: [second, first], total: 2 });
  expect(await list("?limit=1")).toEqual({ bans: [second], total: 2 });
  expect(await list(`?before=${second.id}`)).toEqual({ bans: [first], total: 2 });
  expect((await admin.delete(`/admin/network-bans/${first.id}`)).status).toBe(204);
  const again = await admin.delete(`/admin/network-bans/${first.id}`);
  expect([again.status, again.body]).toEqual([404, error("Network ban not found")]);
  expect(await list()).toEqual({ bans: [second], total: 1 });
  const [removed, , added] = await readAdminLog(admin, "?limit=3");
  expect([removed?.action, removed?.details]).toEqual(["network_ban_delete", { cidr: "203.0.113.0/24" }]);
  expect([added?.action, added?.target_type]).toEqual(["network_ban_create", "settings"]);
  expect(added?.details).toEqual({ cidr: "203.0.113.0/24", reason: "spam", expires_at: null });
});

test.each([undefined, null, 5, "", "203.0.113.7", "11.0.0.0/7", "2000::/15", "203.0.113.0/33", "club.example/24"])(
  "the network %j is refused",
  async (cidr) => {
    const { status, body } = await admin.post("/admin/network-bans", { cidr });
    const text = "cidr must be a network of IPv4 from /8 to /32 or of IPv6 from /16 to /128";
    expect([status, body]).toEqual([400, error(text)]);
  },
);

test("administrators cannot ban the network that they call from, nor more than 10,000", async () => {
  const api = apis[0]?.withAuthorization(`Bearer ${admin.accessToken}`);
  const post = async (cidr: string) => {
    const answer = await api?.send("POST", "/admin/network-bans", { body: { cidr }, ...from("198.51.100.7") });
    return [answer?.status, answer?.body];
  };
  expect(await post("198.51.0.0/16")).toEqual([400, error("This would block you")]);
  await runSql(
    stack.databaseUrl,
    "INSERT INTO network_bans (cidr) SELECT '2001:db8::' || to_hex(n) || '/128' FROM generate_series(1, 9999) n",
  );
  expect((await post("198.51.101.0/24"))[0]).toBe(201);
  expect(await post("198.51.102.0/24")).toEqual([400, error("Limit of 10000 network bans reached")]);
  await expect.poll(() => everywhere("2001:db8::270f")).toEqual([403, 403]);
});

test("nobody registers, logs in or refreshes from a banned network at any api, until the ban ends", async () => {
  const { id } = await ban({ cidr: "198.51.100.0/24" });
  await expect.poll(() => everywhere("198.51.100.20")).toEqual([403, 403]);
  for (const api of apis)
    for (const [method, path, body] of entrances) {
      const answer = await api.send(method, path, { ...(body && { body }), ...from("198.51.100.20") });
      expect([path, answer.status, answer.body]).toEqual([path, 403, blocked]);
    }
  expect(await everywhere("198.51.101.20")).toEqual([400, 400]);
  expect((await apis[0]?.send("GET", "/instance", from("198.51.100.20")))?.status).toBe(200);
  await admin.delete(`/admin/network-bans/${id}`);
  await expect.poll(() => everywhere("198.51.100.20")).toEqual([400, 400]);
  await ban({ cidr: "198.51.100.0/24", expires_in_minutes: 1 });
  await expect.poll(() => everywhere("198.51.100.20")).toEqual([403, 403]);
  await runSql(stack.databaseUrl, "UPDATE network_bans SET id = uuidv7(), expires_at = now() + interval '1 second'");
  await expect.poll(() => everywhere("198.51.100.20")).toEqual([400, 400]);
  expect((await list()).total).toBe(0);
});

test("gateways refuse clients from a banned network before the upgrade, and close those that are connected", async () => {
  const user = await admin.register();
  const connect = (url: string, address: string) => connectGateway(url, user.accessToken, from(address));
  const inside = stack.gateways.map(({ url }) => connect(url, "198.51.100.20"));
  const outside = stack.gateways.map(({ url }) => connect(url, "198.51.101.20"));
  await Promise.all([...inside, ...outside].map(({ ready }) => ready));
  await ban({ cidr: "198.51.100.0/24" });
  expect(await Promise.all(inside.map(({ closed }) => closed))).toEqual(inside.map(() => ({ code: 1008, reason: "" })));
  for (const { url } of stack.gateways) {
    const refused = connect(url, "198.51.100.20");
    await expect(refused.ready).rejects.toThrow();
    const { status, body } = await refused.rejected;
    expect([status, JSON.parse(body)]).toEqual([403, blocked]);
    const plain = await fetch(`${url}/ws?token=x`, from("198.51.100.20"));
    expect([plain.status, await plain.json()]).toEqual([403, blocked]);
  }
  await Promise.all(outside.map((client) => client.heartbeat()));
  await Promise.all(outside.map((client) => client.close()));
});
