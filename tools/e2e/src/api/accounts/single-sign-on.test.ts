import { AuthResponse, errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  type EquippedStack,
  publicUrl,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { leaveNoAdministrator } from "../stages/admin-stage.js";
import { clientId, forgetLogouts, sharedProvider, type TestProvider } from "../stages/oidc-provider-stage.js";
import { activateCodes } from "../stages/passkey-stage.js";
import { codeOf, createBrowser, type SignInBrowser } from "./oidc-browser.js";

let provider: TestProvider;
let stack: EquippedStack;
let database: pg.Client;

beforeAll(async () => {
  stack = await sharedStack();
  provider = await sharedProvider(stack);
  await forgetLogouts(stack);
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
});

const api = (index: number, of: SharedStack = stack) => of.apis[index % of.apis.length]?.url ?? "";
const Refused = z.object({ code: z.string() });
let people = 0;

/** Somebody whom the provider knows. */
function person(claims: Record<string, unknown> = {}): string {
  people += 1;
  const subject = `subject-${people}`;
  provider.people.set(subject, { preferred_username: `player_${people}`, ...claims });
  return subject;
}

/** Signs in, with the start at one api, the callback at another one and the exchange at the first. */
async function attemptSignIn(
  subject: string,
  { browser = createBrowser(), of = stack }: { browser?: SignInBrowser; of?: SharedStack } = {},
) {
  const query = await browser.atProvider(await browser.start(api(0, of)), subject);
  return browser.session(api(0, of), codeOf(await browser.callback(api(1, of), query)));
}

async function signIn(subject: string, browser: SignInBrowser = createBrowser()): Promise<UserClient> {
  const { user, access_token, refresh_token } = (await attemptSignIn(subject, { browser })).expect(200, AuthResponse);
  const client = createClient(api(1), { authorization: `Bearer ${access_token}` });
  return {
    ...client,
    user,
    username: user.username,
    password: "",
    accessToken: access_token,
    refreshToken: refresh_token,
  };
}

describe("a sign-in at the provider", () => {
  test("makes an account at the first time and finds it again, across processes", async () => {
    const subject = person({
      preferred_username: "magnús.c@fide.example",
      email: "m@fide.example",
      email_verified: true,
    });
    const first = await signIn(subject);
    expect(first.user).toMatchObject({ username: "magnus_c", email: "m@fide.example", is_admin: false });
    expect((await first.get("/auth/email")).body).toEqual({ email: "m@fide.example", verified: true });
    const again = await signIn(subject);
    expect(again.user.id).toBe(first.user.id);
    expect((await again.get("/auth/sessions")).expect(200, z.array(z.unknown()))).toHaveLength(2);
    const { status } = await again.post("/auth/refresh", { refresh_token: again.refreshToken });
    expect(status).toBe(200);
  });

  test("gives a name that nobody has, and other people other accounts", async () => {
    await createClient(api(0)).register({ username: "anand" });
    const [one, other] = [person({ preferred_username: "anand" }), person({ preferred_username: "anand" })];
    const accounts = await Promise.all([signIn(one), signIn(other), signIn(one), signIn(other)]);
    const ids = accounts.map(({ user }) => user.id);
    expect([ids[0], ids[1]]).toEqual([ids[2], ids[3]]);
    expect(new Set(ids).size).toBe(2);
    for (const { user } of accounts) expect(user.username).toMatch(/^anand_[0-9a-f]{6}$/);
    expect((await signIn(person({ preferred_username: "王", name: "!" }))).user.username).toMatch(
      /^user(_[0-9a-f]{6})?$/,
    );
  });

  test("takes over no account that has the same address, verified or not", async () => {
    for (const [number, isVerified] of [false, true].entries()) {
      const email = `owner${number}@fide.example`;
      const owner = await createClient(api(0)).register({ email });
      if (isVerified) await database.query("UPDATE users SET email_verified_at = now() WHERE id = $1", [owner.user.id]);
      const other = await signIn(person({ email: email.replace("owner", "Owner"), email_verified: true }));
      expect(other.user).toMatchObject({ email: null });
      expect(other.user.id).not.toBe(owner.user.id);
    }
  });

  test("keeps no address that the provider has not verified", async () => {
    expect((await signIn(person({ email: "who@fide.example", email_verified: false }))).user.email).toBeNull();
  });

  test("leads on to where somebody wanted to go, and nowhere else", async () => {
    const subject = person();
    const pageOf = async (query: string) => {
      const browser = createBrowser();
      const back = await browser.atProvider(await browser.start(api(0), query), subject);
      return (await browser.get(api(0), `/auth/oidc/callback${back}`)).location ?? "";
    };
    expect(await pageOf("?to=%2Finvite%2Fabc")).toMatch(`${publicUrl}/app/login?to=%2Finvite%2Fabc#sign-in=`);
    expect(await pageOf("?to=https%3A%2F%2Fevil.example")).toMatch(`${publicUrl}/app/login#sign-in=`);
    expect((await createBrowser().get(api(0), "/auth/oidc/start?format=json")).text).toContain(
      `"url":"${provider.issuer}/auth`,
    );
  });

  test("is refused to a disabled account, and makes a new account for a person who has deleted theirs", async () => {
    const subject = person();
    const { user } = await signIn(subject);
    await database.query("UPDATE users SET disabled_at = now(), session_version = session_version + 1 WHERE id = $1", [
      user.id,
    ]);
    const refused = await attemptSignIn(subject);
    expect([refused.status, refused.expect(403, Refused).code]).toEqual([403, "account_disabled"]);
    const admin = await createClient(api(0)).register();
    await database.query("UPDATE users SET is_admin = true WHERE id = $1", [admin.user.id]);
    expect((await admin.delete(`/admin/users/${user.id}`)).status).toBe(204);
    expect((await signIn(subject)).user.id).not.toBe(user.id);
    await database.query("UPDATE users SET is_admin = false WHERE id = $1", [admin.user.id]);
  });

  test("asks for no password that the account does not have", async () => {
    const user = await signIn(person());
    const answer = await user.post("/auth/second-factor", { password: "none" });
    expect(answer.expect(403, Refused).code).toBe("account_has_no_password");
    expect((await user.get("/users/@me")).status).toBe(200);
  });
});

describe("the group of administrators", () => {
  test("decides at each sign-in, is logged, and leaves the last one", async () => {
    await leaveNoAdministrator(stack);
    const subject = person({ groups: ["players", "arbiters"] });
    const arbiter = await signIn(subject);
    expect(arbiter.user.is_admin).toBe(true);
    expect((await arbiter.get("/admin/stats")).status).toBe(200);
    provider.people.set(subject, { groups: ["players"] });
    expect((await signIn(subject)).user.is_admin).toBe(true);
    const other = person({ groups: "arbiters" });
    const second = await signIn(other);
    expect(second.user.is_admin).toBe(true);
    const gateway = connectGateway(stack.gateways[0]?.url ?? "", "", { query: `token=${arbiter.accessToken}&v=2` });
    await gateway.ready;
    expect((await signIn(subject)).user.is_admin).toBe(false);
    await gateway.waitFor("USER_UPDATE", ({ is_admin }) => is_admin === false);
    await gateway.close();
    expect((await arbiter.get("/admin/stats")).status).toBe(403);
    const log = (await second.get("/admin/audit-log")).expect(
      200,
      z.array(z.object({ admin_id: z.string().nullable(), target_id: z.string(), details: z.unknown() })),
    );
    expect(log.slice(0, 3).map(({ admin_id, target_id }) => [admin_id, target_id])).toEqual([
      [null, arbiter.user.id],
      [null, second.user.id],
      [null, arbiter.user.id],
    ]);
  });
});

describe("a logout at the provider", () => {
  test("ends the sessions of its session, and their sockets on every gateway", async () => {
    const subject = person();
    const [here, elsewhere] = [createBrowser(), createBrowser()];
    const [ended, other] = [await signIn(subject, here), await signIn(subject, elsewhere)];
    const byPassword = await createClient(api(0)).register();
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, ended.accessToken));
    const going = connectGateway(stack.gateways[0]?.url ?? "", other.accessToken);
    await Promise.all([...sockets, going].map(({ ready }) => ready));
    await here.signOut(provider.issuer);
    expect(provider.failures).toEqual([]);
    for (const { code } of await Promise.all(sockets.map((socket) => socket.closed))) expect(code).toBe(1000);
    expect((await ended.get("/users/@me")).status).toBe(401);
    expect((await ended.post("/auth/refresh", { refresh_token: ended.refreshToken })).status).toBe(401);
    for (const client of [other, byPassword]) expect((await client.get("/users/@me")).status).toBe(200);
    await going.heartbeat();
    await going.close();
  });

  test("of a person ends all of their sessions, and takes the code of a sign-in that is under way", async () => {
    const subject = person();
    const sessions = [await signIn(subject), await signIn(subject)];
    const browser = createBrowser();
    const query = await browser.atProvider(await browser.start(api(0)), subject);
    const code = codeOf(await browser.callback(api(0), query));
    const now = Math.floor(Date.now() / 1_000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const claims = { iss: provider.issuer, aud: clientId, iat: now, jti: "all of them", sub: subject, events };
    const body = new URLSearchParams({ logout_token: await provider.sign(claims) }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await createClient(api(1)).send("POST", "/auth/oidc/back-channel-logout", { body, headers });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    for (const session of sessions) expect((await session.get("/users/@me")).status).toBe(401);
    expect((await browser.session(api(0), code)).status).toBe(401);
  });
});

describe("an account of before", () => {
  const Url = z.object({ url: z.string() });

  /** Begins to connect an account, in a browser. @returns the answer of the provider */
  async function link(user: UserClient, browser: SignInBrowser, subject: string): Promise<string> {
    const answer = await user.post("/auth/oidc/link", { password: user.password });
    const cookie = answer.headers.getSetCookie()[0] ?? "";
    browser.cookies.set("__Host-parley-sign-in", /^__Host-parley-sign-in=([^;]+)/.exec(cookie)?.[1] ?? "");
    const query = await browser.atProvider(answer.expect(200, Url).url, subject);
    return codeOf(await browser.callback(api(1), query));
  }
  const confirm = (user: UserClient, browser: SignInBrowser, code: string) =>
    user.send("POST", "/auth/oidc/link/confirm", {
      body: { code },
      headers: { cookie: `__Host-parley-sign-in=${browser.cookies.get("__Host-parley-sign-in")}` },
    });

  test("is connected by its owner, signs in, and is disconnected with its password", async () => {
    const [user, browser, subject] = [await createClient(api(0)).register(), createBrowser(), person()];
    const code = await link(user, browser, subject);
    expect((await browser.session(api(0), code)).status).toBe(401);
    expect((await user.get("/auth/oidc/link")).body).toEqual({ connected_at: null });
    expect((await confirm(user, browser, code)).status).toBe(204);
    expect((await user.get("/auth/oidc/link")).body).toEqual({ connected_at: expect.any(String) });
    expect((await signIn(subject)).user.id).toBe(user.user.id);
    expect((await user.delete("/auth/oidc/link", { password: "wrong password" })).status).toBe(403);
    expect((await user.delete("/auth/oidc/link", { password: user.password })).status).toBe(204);
    expect((await user.delete("/auth/oidc/link", { password: user.password })).status).toBe(404);
    expect((await signIn(subject)).user.id).not.toBe(user.user.id);
  });

  test("is connected by nobody who has its access token alone, nor its password without the code", async () => {
    const user = await createClient(api(0)).register();
    const begin = async (body: object) => (await user.post("/auth/oidc/link", body)).body;
    expect(await begin({})).toEqual(error("password must be 1-128 characters"));
    expect(await begin({ password: "wrong password" })).toEqual(error("Wrong password"));
    const [code = ""] = await activateCodes(user);
    const { password } = user;
    expect(await begin({ password })).toEqual(error("Second factor required"));
    expect(await begin({ password, code: "000000" })).toEqual(error("Invalid second factor code"));
    expect(await begin({ password, code })).toEqual({ url: expect.stringContaining(provider.issuer) });
    const passwordless = await signIn(person());
    expect((await passwordless.post("/auth/oidc/link", { password })).body).toEqual(
      error("This account has no password"),
    );
  });

  test("ends the sessions that began at the provider with the connection, at every api and gateway, and no other", async () => {
    const [user, browser, subject] = [await createClient(api(0)).register(), createBrowser(), person()];
    expect((await confirm(user, browser, await link(user, browser, subject))).status).toBe(204);
    const began = await signIn(subject);
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, began.accessToken));
    await Promise.all(sockets.map(({ ready }) => ready));
    expect((await user.delete("/auth/oidc/link", { password: user.password })).status).toBe(204);
    for (const { url } of stack.apis) {
      const { status } = await createClient(url).withAuthorization(`Bearer ${began.accessToken}`).get("/users/@me");
      expect(status).toBe(401);
    }
    for (const { closed } of sockets) expect((await closed).code).toBe(1000);
    expect((await user.post("/auth/refresh", { refresh_token: began.refreshToken })).status).toBe(401);
    expect((await user.get("/users/@me")).status).toBe(200);
  });

  test("is connected by nobody else, with nobody who is connected, and with one person", async () => {
    const [user, other, browser] = [
      await createClient(api(0)).register(),
      await createClient(api(0)).register(),
      createBrowser(),
    ];
    const code = await link(user, browser, person());
    expect((await confirm(other, browser, code)).status).toBe(403);
    expect((await confirm(user, createBrowser(), code)).status).toBe(403);
    expect((await confirm(user, browser, code)).status).toBe(204);
    expect((await confirm(user, browser, code)).status).toBe(403);
    const taken = person();
    await signIn(taken);
    const refused = await confirm(other, browser, await link(other, browser, taken));
    expect(refused.expect(409, Refused).code).toBe("sign_in_identity_taken");
    // Where nobody is signed in at the provider.
    const elsewhere = createBrowser();
    const second = await confirm(user, elsewhere, await link(user, elsewhere, person()));
    expect(second.expect(409, Refused).code).toBe("sign_in_already_connected");
  });
});
