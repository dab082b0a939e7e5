import { createHash, createHmac } from "node:crypto";
import { AuthResponse, errorBody } from "@parley/contracts";
import { createClient, type SharedStack, sharedStack } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let stack: SharedStack;
let database: pg.Client;

beforeAll(async () => {
  stack = await sharedStack();
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
});

const apis = () => stack.apis.map(({ url }) => createClient(url));
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
  test.each([
    ["an account", async () => (await createClient(stack.edgeUrl).register()).username],
    ["a name that nobody has", async () => "nobody_at_all"],
  ])("failed logins of %s are refused after ten from one address, and not from another one", async (_what, nameOf) => {
    const username = await nameOf();
    expect(await fail(username, 10, () => "203.0.113.1")).toEqual([401]);
    const answer = await login(username, wrong, "203.0.113.1");
    expect([answer.status, answer.body]).toEqual([429, refused]);
    const retryAfter = Number(answer.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(600);
    expect(retryAfter).toBeLessThanOrEqual(900);
    expect((await login(username, wrong, "203.0.113.2")).status).toBe(401);
  });

  test("count for a whole network of IPv6", async () => {
    const { username } = await createClient(stack.edgeUrl).register();
    expect(await fail(username, 10, (n) => `2001:db8:1:2::${n}`)).toEqual([401]);
    expect((await login(username, wrong, "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await login(username, wrong, "2001:db8:1:3::1")).status).toBe(401);
  });

  test("failed logins elsewhere lock nobody out of an address that the account logged in from", async () => {
    const { username, password } = await createClient(stack.edgeUrl).register();
    (await login(username, password, "198.51.100.1")).expect(200, AuthResponse);
    expect(await fail(username, 100, (n) => `203.0.113.${n}`)).toEqual([401]);
    expect((await login(username, password, "198.51.100.2")).status).toBe(429);
    (await login(username, password, "198.51.100.1")).expect(200, AuthResponse);
  });

  test("failed logins do not count when they succeed", async () => {
    const { username, password } = await createClient(stack.edgeUrl).register();
    for (let n = 0; n < 12; n += 1) {
      (await login(username, password, "203.0.113.9")).expect(200, AuthResponse);
      await database.query("DELETE FROM login_addresses WHERE user_id IN (SELECT id FROM users WHERE username = $1)", [
        username,
      ]);
    }
  });

  test("of many failed logins at once no more than ten reach the password", async () => {
    const { username } = await createClient(stack.edgeUrl).register();
    const answers = await Promise.all(Array.from({ length: 30 }, () => login(username, wrong, "203.0.113.7")));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });
});

describe("refresh tokens", () => {
  const refresh = async (n: number, refresh_token: string) => {
    const api = apis()[n % apis().length];
    return (await api?.post("/auth/refresh", { refresh_token }))?.expect(200, AuthResponse).refresh_token ?? "";
  };

  test("refresh tokens that are sent to two processes at once yield one successor", async () => {
    const { refreshToken } = await createClient(stack.edgeUrl).register();
    const successors = await Promise.all(Array.from({ length: 6 }, (_, n) => refresh(n, refreshToken)));
    expect(new Set(successors).size).toBe(1);
  });

  test("refresh tokens that a process of the version before exchanged still yield the same successor", async () => {
    const { refreshToken } = await createClient(stack.edgeUrl).register();
    const sha = (text: string) => createHash("sha256").update(text).digest("hex");
    const derived = createHmac("sha256", stack.jwtSecret)
      .update(`refresh-successor:${refreshToken}`)
      .digest("base64url");
    const { rowCount } = await database.query(
      `WITH used AS (UPDATE refresh_sessions SET used_at = now() WHERE token_hash = $1 RETURNING user_id, family_id, expires_at)
        INSERT INTO refresh_sessions (user_id, family_id, token_hash, expires_at) SELECT user_id, family_id, $2, expires_at FROM used`,
      [sha(refreshToken), sha(derived)],
    );
    expect(rowCount).toBe(1);
    expect(await refresh(0, refreshToken)).toBe(derived);
    await refresh(1, derived);
  });

  test("refresh tokens are refused after the grace, and end their session", async () => {
    const { refreshToken, user } = await createClient(stack.edgeUrl).register();
    const successor = await refresh(0, refreshToken);
    await database.query(
      "UPDATE refresh_sessions SET used_at = used_at - interval '61 seconds' WHERE used_at IS NOT NULL AND user_id = $1",
      [user.id],
    );
    const api = createClient(stack.edgeUrl);
    expect((await api.post("/auth/refresh", { refresh_token: refreshToken })).status).toBe(401);
    expect((await api.post("/auth/refresh", { refresh_token: successor })).status).toBe(401);
  });
});
