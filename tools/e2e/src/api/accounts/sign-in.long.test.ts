import { AuthResponse, errorBody } from "@parley/contracts";
import { createClient, startStack, type TestStack, waitUntil } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let stack: TestStack;
/** Another installation on the same database: JWT_SECRET differs, as between two steps of its rotation. */
let rotated: TestStack;
let database: pg.Client;

beforeAll(async () => {
  // Its own: an api takes the address of a client from its proxy.
  stack = await startStack({ apis: 2, gateways: 0, env: { TRUST_PROXY: "loopback" } });
  // Its own: with another key, on the same database.
  rotated = await startStack({ apis: 1, gateways: 0, databaseUrl: stack.databaseUrl });
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await rotated?.stop();
  await stack?.stop();
});

const apis = () => [...stack.apis, ...rotated.apis].map(({ url }) => createClient(url));
const refused = errorBody("Too many requests");
const wrong = "not the password";
let attempts = 0;
/** Logs in from an address, through one api after the other. */
const login = (username: string, password: string, address: string) => {
  const api = stack.apis[attempts++ % stack.apis.length];
  const headers = { "x-forwarded-for": address };
  return createClient(api?.url ?? "").send("POST", "/auth/login", { body: { username, password }, headers });
};
const fail = async (username: string, times: number, address: (n: number) => string) => {
  const statuses = new Set<number>();
  for (let n = 0; n < times; n += 10) {
    const answers = Array.from({ length: Math.min(10, times - n) }, (_, m) => login(username, wrong, address(n + m)));
    for (const { status } of await Promise.all(answers)) statuses.add(status);
  }
  return [...statuses];
};

describe("failed logins", () => {
  test("lock nobody out: a hundred elsewhere are the end, and addresses that the account logged in from have 200 of their own", async () => {
    const { username, password } = await createClient(stack.edgeUrl).register();
    (await login(username, password, "198.51.100.1")).expect(200, AuthResponse);
    expect(await fail(username, 100, (n) => `203.0.113.${n}`)).toEqual([401]);
    expect((await login(username, password, "198.51.100.2")).status).toBe(429);
    expect(await fail(username, 199, () => "198.51.100.1")).toEqual([401]);
    (await login(username, password, "198.51.100.1")).expect(200, AuthResponse);
    expect((await login(username, wrong, "198.51.100.1")).status).toBe(401);
    const last = await login(username, password, "198.51.100.1");
    expect([last.status, last.body]).toEqual([429, refused]);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
    await database.query(
      "UPDATE login_addresses SET last_login_at = now() - interval '31 days' WHERE user_id = (SELECT id FROM users WHERE username = $1)",
      [username],
    );
    // As from any other address, until the hundred are 15 minutes old.
    const unknown = await login(username, password, "198.51.100.1");
    expect(unknown.status).toBe(429);
    expect(Number(unknown.headers.get("retry-after"))).toBeLessThanOrEqual(900);
  });
});

describe("refresh tokens", () => {
  const refresh = async (n: number, refresh_token: string) => {
    const api = apis()[n % apis().length];
    return (await api?.post("/auth/refresh", { refresh_token }))?.expect(200, AuthResponse).refresh_token ?? "";
  };

  test("yield one successor at all processes, whatever their JWT_SECRET, and the chain goes on", async () => {
    let { refreshToken: token } = await createClient(stack.edgeUrl).register();
    for (let round = 0; round < 3; round += 1) {
      const presented = token;
      const successors = await Promise.all(Array.from({ length: 9 }, (_, n) => refresh(n, presented)));
      expect(new Set(successors).size).toBe(1);
      [token = ""] = successors;
    }
  });

  test("expired and used refresh tokens go with the sweep of a process", async () => {
    const [expired, used] = [
      await createClient(stack.edgeUrl).register(),
      await createClient(stack.edgeUrl).register(),
    ];
    await refresh(0, used.refreshToken);
    await database.query("UPDATE refresh_sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      expired.user.id,
    ]);
    await database.query("UPDATE refresh_sessions SET used_at = used_at - interval '61 seconds' WHERE user_id = $1", [
      used.user.id,
    ]);
    await stack.startApi();
    const left = async (condition: string) =>
      (await database.query(`SELECT 1 FROM refresh_sessions WHERE ${condition}`)).rowCount;
    await waitUntil(async () => (await left("expires_at < now()")) === 0);
    await waitUntil(
      async () => (await left("used_at < now() - interval '1 minute' AND sealed_successor IS NOT NULL")) === 0,
    );
    expect(await left(`user_id = '${used.user.id}'`)).toBe(2);
  });
});
