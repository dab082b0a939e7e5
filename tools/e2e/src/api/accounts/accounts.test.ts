import { randomUUID } from "node:crypto";
import { AuthResponse, ErrorBody, errorBody as error, PublicProfile, User } from "@parley/contracts";
import { createClient, type RestClient, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";

let stack: SharedStack;
let client: RestClient;
let ann: UserClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  ann = await client.register();
});

describe("registration", () => {
  test("registration answers with a token pair and the whole account", async () => {
    const email = `${randomUUID()}@example.com`;
    const answer = await client.post("/auth/register", { username: "Grace_1", password: "correct horse", email });
    const { user, access_token, refresh_token } = answer.expect(201, AuthResponse.strict());
    expect(access_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(refresh_token.length).toBeGreaterThanOrEqual(43);
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: "Grace_1",
      email,
      avatar_url: null,
      bio: null,
      pronouns: null,
      status: "offline",
      custom_status: null,
      activity: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      is_admin: false,
    });
  });

  test.each([
    [{ username: "a", password: "12345678" }, "Username must be 2-32 characters: letters, digits and underscores"],
    [
      { username: "with-hyphen", password: "12345678" },
      "Username must be 2-32 characters: letters, digits and underscores",
    ],
    [{ username: 7, password: "12345678" }, "Username must be 2-32 characters: letters, digits and underscores"],
    [{ password: "12345678" }, "Username must be 2-32 characters: letters, digits and underscores"],
    [{ username: "short_password", password: "1234567" }, "Password must be 8-128 characters"],
    [{ username: "long_password", password: "x".repeat(129) }, "Password must be 8-128 characters"],
    [{ username: "nul_password", password: "1234567\u0000" }, "Password must be 8-128 characters"],
    [{ username: "no_password" }, "Password must be 8-128 characters"],
    [{ username: "bad_email", password: "12345678", email: "nobody" }, "Invalid email address"],
    [{ username: "bad_email", password: "12345678", email: 5 }, "Invalid email address"],
  ])("a registration with %j is refused", async (body, text) => {
    const answer = await client.post("/auth/register", body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("registration gives a name and an address to one account only, also when two register at once", async () => {
    const username = `twin_${Date.now()}`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => client.post("/auth/register", { username, password: "12345678" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(error("Username already taken"));

    const email = `${randomUUID()}@example.com`;
    await client.register({ email });
    const again = await client.post("/auth/register", { username: "somebody_else", password: "12345678", email });
    expect([again.status, again.body]).toEqual([409, error("Email already registered")]);

    // A mailbox is one account, in whatever spelling, which is kept.
    const written = `Ann.${randomUUID()}@Example.COM`;
    const spellings = [written, written.toLowerCase(), written.toUpperCase()];
    const registered = await Promise.all(
      spellings.map((address, n) =>
        client.post("/auth/register", { username: `spelling_${n}`, password: "12345678", email: address }),
      ),
    );
    expect(registered.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const first = registered.findIndex(({ status }) => status === 201);
    expect(registered[first]?.expect(201, AuthResponse).user.email).toBe(spellings[first]);
  });

  test("registration takes an empty address as none and ignores unknown fields", async () => {
    const body = { username: "no_mail", password: "12345678", email: "", invite_code: "x" };
    expect((await client.post("/auth/register", body)).expect(201, AuthResponse).user.email).toBeNull();
  });
});

describe("login", () => {
  test("login answers with a pair and does not touch presence", async () => {
    const answer = await client.post("/auth/login", { username: ann.username, password: ann.password });
    expect(answer.expect(200, AuthResponse).user).toEqual(ann.user);
  });

  test("login reveals neither whether the name nor whether the password was wrong", async () => {
    for (const body of [
      { username: ann.username, password: "wrong password" },
      { username: "nobody_has_this", password: "wrong password" },
    ]) {
      const answer = await client.post("/auth/login", body);
      expect([answer.status, answer.body]).toEqual([401, error("Invalid username or password")]);
    }
  });

  test("a login needs both fields", async () => {
    expect((await client.post("/auth/login", { username: ann.username })).status).toBe(400);
    expect((await client.post("/auth/login", {})).status).toBe(400);
  });

  test("login keeps ten sessions and drops the oldest", async () => {
    const eve = await client.register();
    const tokens = [eve.refreshToken];
    for (let login = 0; login < 10; login += 1) {
      const answer = await client.post("/auth/login", { username: eve.username, password: eve.password });
      tokens.push(answer.expect(200, AuthResponse).refresh_token);
    }
    const statuses = [];
    for (const refresh_token of tokens) statuses.push((await client.post("/auth/refresh", { refresh_token })).status);
    expect(statuses).toEqual([401, ...Array<number>(10).fill(200)]);
  });
});

describe("refresh", () => {
  test("refresh yields the same successor to everybody who presents the token at once", async () => {
    const bob = await client.register();
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => client.post("/auth/refresh", { refresh_token: bob.refreshToken })),
    );
    const pairs = answers.map((answer) => answer.expect(200, AuthResponse));
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1);
    expect(pairs[0]?.refresh_token).not.toBe(bob.refreshToken);
    expect(pairs[0]?.user.id).toBe(bob.user.id);
    const [pair] = pairs;
    (await client.post("/auth/refresh", { refresh_token: pair?.refresh_token })).expect(200, AuthResponse);
  });

  test("refresh refuses anything but a refresh token", async () => {
    for (const refresh_token of ["nonsense", ann.accessToken, "\u{1F600}"]) {
      const answer = await client.post("/auth/refresh", { refresh_token });
      expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired refresh token")]);
    }
    expect((await client.post("/auth/refresh", {})).status).toBe(400);
  });

  test("a refresh token is no bearer token", async () => {
    const answer = await client.withAuthorization(`Bearer ${ann.refreshToken}`).get("/users/@me");
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
  });
});

describe("authentication", () => {
  test.each([null, "", "Bearer", "Bearer x", "Basic abc", "Bearer a b", "Token x"])(
    "the credentials %j are refused",
    async (authorization) => {
      const answer = await client.withAuthorization(authorization).get("/users/@me");
      expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
    },
  );

  test("authentication refuses an unknown bot token with its own text", async () => {
    const answer = await client.withAuthorization(`Bot ${"0".repeat(64)}`).get("/users/@me");
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or revoked bot token")]);
  });

  test("authentication takes the scheme in any case", async () => {
    (await client.withAuthorization(`bEARER ${ann.accessToken}`).get("/users/@me")).expect(200, User.strict());
  });
});

describe("profiles", () => {
  test("a profile changes field by field, null and the empty string clear", async () => {
    const eve = await client.register();
    const set = await eve.patch("/users/@me", {
      avatar_url: "https://example.com/a.png",
      bio: "b",
      pronouns: "she/her",
      status: "dnd",
      custom_status: "busy",
      activity: "chess",
    });
    expect(set.expect(200, User)).toMatchObject({
      bio: "b",
      pronouns: "she/her",
      status: "dnd",
      custom_status: "busy",
    });
    const cleared = await eve.patch("/users/@me", { bio: null, pronouns: "", status: null, activity: null });
    expect(cleared.expect(200, User)).toMatchObject({
      avatar_url: "https://example.com/a.png",
      bio: null,
      pronouns: null,
      status: "dnd",
      custom_status: "busy",
      activity: null,
    });
    const unchanged = await eve.send("PATCH", "/users/@me", { headers: { "content-type": "application/json" } });
    expect(unchanged.expect(200, User)).toEqual(cleared.body);
  });

  test.each([
    [{ status: "busy" }, "Invalid status"],
    [{ avatar_url: "javascript:alert(1)" }, "avatar_url must use http:// or https://"],
    [{ bio: "x".repeat(501) }, "bio must be at most 500 characters"],
    [{ pronouns: "x".repeat(41) }, "pronouns must be at most 40 characters"],
    [{ custom_status: "x".repeat(129) }, "custom_status must be at most 128 characters"],
    [{ activity: "\ud800" }, "activity must be at most 128 characters"],
  ])("a profile with %j is refused", async (body, text) => {
    const answer = await ann.patch("/users/@me", body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("counts lengths in code points", async () => {
    const custom_status = "😀".repeat(128);
    expect((await ann.patch("/users/@me", { custom_status })).expect(200, User).custom_status).toBe(custom_status);
  });

  test("somebody else's profile shows neither address nor rights", async () => {
    const bob = await client.register({ email: `${randomUUID()}@example.com` });
    const profile = (await ann.get(`/users/${bob.user.id.toUpperCase()}`)).expect(200, PublicProfile.strict());
    expect(profile.username).toBe(bob.username);
    const missing = await ann.get(`/users/${randomUUID()}`);
    expect([missing.status, missing.body]).toEqual([404, error("User not found")]);
    const malformed = await ann.get("/users/not-a-uuid");
    expect([malformed.status, malformed.body]).toEqual([400, error("Invalid identifier")]);
    malformed.expect(400, ErrorBody.strict());
  });
});
