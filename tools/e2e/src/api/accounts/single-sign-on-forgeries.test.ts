import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { AuthResponse } from "@parley/contracts";
import { createClient, type EquippedStack, sharedStack } from "@parley/testing";
import { decodeJwt, type JWTPayload } from "jose";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  clientId,
  clientSecret,
  forgetLogouts,
  type Signing,
  sharedProvider,
  type TestProvider,
} from "../stages/oidc-provider-stage.js";
import { codeOf, createBrowser, type SignInBrowser } from "./oidc-browser.js";

let provider: TestProvider;
let stack: EquippedStack;
let database: pg.Client;
/** Accounts from before are those of other tests, which may still be on their way out. */
let begunAt: Date | undefined;

beforeAll(async () => {
  stack = await sharedStack();
  provider = await sharedProvider(stack);
  await forgetLogouts(stack);
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  begunAt = (await database.query<{ now: Date }>("SELECT now()")).rows[0]?.now;
});
afterEach(() => {
  provider.tamper = null;
});
afterAll(async () => {
  await database?.end();
  await forgetLogouts(stack);
});

const api = (index: number) => stack.apis[index % stack.apis.length]?.url ?? "";
const now = () => Math.floor(Date.now() / 1_000);
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Numbers of accounts, of sessions and of the attempts behind them: equal before and after a refusal. */
async function counts(): Promise<unknown> {
  const { rows } = await database.query(
    `SELECT (SELECT count(*) FROM users WHERE created_at >= $1) AS users,
      (SELECT count(*) FROM refresh_sessions JOIN oidc_identities i USING (user_id) WHERE i.created_at >= $1) AS sessions,
      (SELECT count(*) FROM oidc_identities WHERE created_at >= $1) AS identities, (SELECT count(*) FROM oidc_sign_ins) AS sign_ins,
      (SELECT count(*) FROM ended_sessions) AS ended`,
    [begunAt],
  );
  return rows[0];
}

let refusedInAll = 0;
/** Runs a forged attempt, and checks that it is refused and has no effect. */
async function refuses(attempt: () => Promise<string>, expected: RegExp): Promise<void> {
  const before = await counts();
  expect(await attempt()).toMatch(expected);
  expect(await counts()).toEqual(before);
  refusedInAll += 1;
}

/** A browser that is back from the provider. */
async function back(subject: string, browser: SignInBrowser = createBrowser(), query = "") {
  const address = await browser.start(api(0), query);
  return { browser, address, answer: new URLSearchParams(await browser.atProvider(address, subject)) };
}
const callback = (browser: SignInBrowser, answer: URLSearchParams, index = 1) =>
  browser.callback(api(index), `?${answer}`);
const changed = (answer: URLSearchParams, changes: Record<string, string | null>): URLSearchParams => {
  const copy = new URLSearchParams(answer);
  for (const [name, value] of Object.entries(changes)) value === null ? copy.delete(name) : copy.set(name, value);
  return copy;
};
const flipped = (text: string) => (text.startsWith("a") ? "b" : "a") + text.slice(1);

describe("what comes back from the provider is refused", () => {
  type Back = Awaited<ReturnType<typeof back>>;
  const forgeries: [name: string, forge: (one: Back, two: Back) => [SignInBrowser, URLSearchParams]][] = [
    ["without a state", ({ browser, answer }) => [browser, changed(answer, { state: null })]],
    ["with an empty state", ({ browser, answer }) => [browser, changed(answer, { state: "" })]],
    [
      "with another state",
      ({ browser, answer }) => [browser, changed(answer, { state: randomBytes(32).toString("base64url") })],
    ],
    [
      "with a state that differs in one letter",
      ({ browser, answer }) => [browser, changed(answer, { state: flipped(answer.get("state") ?? "") })],
    ],
    ["with a longer state", ({ browser, answer }) => [browser, changed(answer, { state: `${answer.get("state")}x` })]],
    [
      "with two states",
      ({ browser, answer }) => [browser, new URLSearchParams(`${answer}&state=${answer.get("state")}`)],
    ],
    [
      "with the state of another browser",
      ({ browser, answer }, two) => [browser, changed(answer, { state: two.answer.get("state") })],
    ],
    ["in another browser", ({ answer }, two) => [two.browser, answer]],
    ["in a browser without an attempt", ({ answer }) => [createBrowser(), answer]],
    ["without a code", ({ browser, answer }) => [browser, changed(answer, { code: null })]],
    ["with an empty code", ({ browser, answer }) => [browser, changed(answer, { code: "" })]],
    [
      "with another code",
      ({ browser, answer }) => [browser, changed(answer, { code: randomBytes(32).toString("base64url") })],
    ],
    ["with two codes", ({ browser, answer }) => [browser, new URLSearchParams(`${answer}&code=${answer.get("code")}`)]],
    [
      "with the code of another browser",
      ({ browser, answer }, two) => [browser, changed(answer, { code: two.answer.get("code") })],
    ],
    ["without the issuer", ({ browser, answer }) => [browser, changed(answer, { iss: null })]],
    ["of another issuer", ({ browser, answer }) => [browser, changed(answer, { iss: "https://evil.example" })]],
    [
      "of an issuer with a slash more",
      ({ browser, answer }) => [browser, changed(answer, { iss: `${provider.issuer}/` })],
    ],
    ["with two issuers", ({ browser, answer }) => [browser, new URLSearchParams(`${answer}&iss=https://evil.example`)]],
    ["with an error beside the code", ({ browser, answer }) => [browser, changed(answer, { error: "access_denied" })]],
    [
      "with an ID token beside the code",
      ({ browser, answer }) => [browser, changed(answer, { id_token: "x.y.z", response: "x" })],
    ],
    ["with nothing", ({ browser }) => [browser, new URLSearchParams()]],
  ];
  test.each(forgeries)("%s", async (_name, forge) => {
    const [one, two] = await Promise.all([back("one"), back("two")]);
    const [browser, answer] = forge(one, two);
    await refuses(() => callback(browser, answer), /^#sign-in-refused=(expired|refused|denied)$/);
  });

  const cookies: [name: string, change: (cookie: string) => string][] = [
    ["cut", (cookie) => cookie.slice(0, -4)],
    ["changed at its begin", flipped],
    ["changed at its end", (cookie) => `${cookie.slice(0, -8)}AAAAAAAA`],
    ["empty", () => "%20"],
    ["made up", () => randomBytes(300).toString("base64url")],
    ["in plain text", () => Buffer.from(JSON.stringify({ state: "x", until: 9e15 })).toString("base64url")],
  ];
  test.each(cookies)("with a cookie that is %s", async (_name, change) => {
    const { browser, answer } = await back("one");
    const [[name, value] = ["", ""]] = [...browser.cookies];
    browser.cookies.set(name, change(value));
    await refuses(() => callback(browser, answer), /^#sign-in-refused=expired$/);
  });

  test("a second time, at any process, also while the first is under way", async () => {
    const { browser, answer } = await back("one");
    const fragments = await Promise.all(Array.from({ length: 8 }, (_, n) => callback(browser, answer, n)));
    expect(fragments.filter((fragment) => fragment.startsWith("#sign-in="))).toHaveLength(1);
    for (let n = 0; n < 4; n += 1) await refuses(() => callback(browser, answer, n), /^#sign-in-refused=expired$/);
  });

  test("of an attempt that a later one of the same browser has replaced", async () => {
    const { browser, answer } = await back("one");
    await back("one", browser);
    await refuses(() => callback(browser, answer), /^#sign-in-refused=expired$/);
  });
});

/** Lets the provider answer with an ID token of changed claims, or signed in another way. */
function forgeIdToken(change: (claims: JWTPayload) => JWTPayload, signing?: Signing): void {
  provider.tamper = async (body) => ({
    ...body,
    id_token: await provider.sign(change(decodeJwt(String(body.id_token))), signing),
  });
}
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const withoutSignature = (alg: string, claims: JWTPayload) => `${encoded({ alg })}.${encoded(claims)}.`;
const Keys = z.object({ keys: z.array(z.record(z.string(), z.string())) });
/** The public key as a secret, which a verifier of any algorithm would take. */
async function publicAsSecret(): Promise<Buffer> {
  const { keys } = Keys.parse(await (await fetch(`${provider.issuer}/jwks`)).json());
  return Buffer.from(createPublicKey({ key: keys[0] ?? {}, format: "jwk" }).export({ type: "spki", format: "pem" }));
}

describe("an ID token is refused", () => {
  const claims: [name: string, change: (claims: JWTPayload) => JWTPayload][] = [
    ["of another issuer", (all) => ({ ...all, iss: "https://evil.example" })],
    ["without an issuer", ({ iss, ...all }) => all],
    ["for another audience", (all) => ({ ...all, aud: "somebody" })],
    ["for others as well, without saying who asked", (all) => ({ ...all, aud: ["a", "b"] })],
    ["for others as well, asked by another one", (all) => ({ ...all, aud: [clientId, "b"], azp: "b" })],
    ["without an audience", ({ aud, ...all }) => all],
    ["that has expired", (all) => ({ ...all, iat: now() - 900, exp: now() - 120 })],
    ["without an end", ({ exp, ...all }) => all],
    ["whose end is no number", (all) => ({ ...all, exp: "tomorrow" as never })],
    ["without a begin", ({ iat, ...all }) => all],
    ["that is not valid yet", (all) => ({ ...all, nbf: now() + 600 })],
    ["with another nonce", (all) => ({ ...all, nonce: randomBytes(32).toString("base64url") })],
    ["without a nonce", ({ nonce, ...all }) => all],
    ["with an empty nonce", (all) => ({ ...all, nonce: "" })],
    ["without a subject", ({ sub, ...all }) => all],
    ["with an empty subject", (all) => ({ ...all, sub: "" })],
    ["whose subject is no text", (all) => ({ ...all, sub: 7 as never })],
    ["of somebody else than the provider's own answer", (all) => ({ ...all, sub: "the-chairman" })],
  ];
  test.each(claims)("%s", async (_name, change) => {
    const { browser, answer } = await back("one");
    forgeIdToken(change);
    await refuses(() => callback(browser, answer), /^#sign-in-refused=refused$/);
  });

  const signatures: [name: string, signing: () => Signing | Promise<Signing>][] = [
    ["by another key", () => ({ key: other.privateKey })],
    ["by another key without a name", () => ({ key: other.privateKey, header: { kid: undefined } })],
    ["by another key with another name", () => ({ key: other.privateKey, header: { kid: "evil" } })],
    [
      "by a key in its own header",
      () => ({ key: other.privateKey, header: { jwk: other.publicKey.export({ format: "jwk" }) } }),
    ],
    [
      "by a key at an address of its own",
      () => ({ key: other.privateKey, header: { jku: "https://evil.example/jwks" } }),
    ],
    ["by another kind of key", () => ({ key: curve.privateKey, header: { alg: "ES256" } })],
    [
      "by the secret of the installation",
      () => ({ key: Buffer.from(clientSecret.padEnd(32, "0")), header: { alg: "HS256" } }),
    ],
    ["by the public key as a secret", async () => ({ key: await publicAsSecret(), header: { alg: "HS256" } })],
  ];
  test.each(signatures)("that is signed %s", async (_name, signing) => {
    const { browser, answer } = await back("one");
    forgeIdToken((all) => all, await signing());
    await refuses(() => callback(browser, answer), /^#sign-in-refused=refused$/);
  });

  const texts: [name: string, change: (token: string) => unknown][] = [
    ["without a signature", (token) => withoutSignature("none", decodeJwt(token))],
    ["without a signature, in capitals", (token) => withoutSignature("None", decodeJwt(token))],
    ["whose signature is cut off", (token) => token.slice(0, token.lastIndexOf(".") + 1)],
    ["whose signature is changed", (token) => `${token.slice(0, -6)}AAAAAA`],
    [
      "whose claims are changed",
      (token) => {
        const [header, , signature] = token.split(".");
        return `${header}.${encoded({ ...decodeJwt(token), sub: "the-chairman" })}.${signature}`;
      },
    ],
    ["that is none", () => "none"],
    ["that is no text", () => 7],
    ["that is missing", () => undefined],
  ];
  test.each(texts)("%s", async (_name, change) => {
    const { browser, answer } = await back("one");
    provider.tamper = async (body) => ({ ...body, id_token: change(String(body.id_token)) });
    await refuses(() => callback(browser, answer), /^#sign-in-refused=refused$/);
  });

  test("of another attempt, whole", async () => {
    const [one, two] = await Promise.all([back("one"), back("two")]);
    let first: Record<string, unknown> | null = null;
    provider.tamper = async (body) => {
      first = body;
      return body;
    };
    await callback(two.browser, two.answer);
    provider.tamper = async () => ({ ...first });
    await refuses(() => callback(one.browser, one.answer), /^#sign-in-refused=refused$/);
  });
});

describe("the code of a page is refused", () => {
  const exchange = async (browser: SignInBrowser, code: unknown) => {
    const answer = await browser.session(api(0), code as string);
    return String(answer.status);
  };
  const page = async (browser?: SignInBrowser) => {
    const { browser: used, answer } = await back("one", browser);
    return { browser: used, code: codeOf(await callback(used, answer)) };
  };

  const codes: [name: string, change: (code: string) => unknown][] = [
    ["changed", flipped],
    ["cut", (code) => code.slice(1)],
    ["hashed as it is stored", (code) => createHash("sha256").update(code).digest("hex")],
    ["empty", () => ""],
    ["too long", (code) => code.repeat(5)],
    ["no text", () => 7],
    ["a list", (code) => [code]],
  ];
  test.each(codes)("that is %s", async (_name, change) => {
    const { browser, code } = await page();
    await refuses(() => exchange(browser, change(code)), /^40[01]$/);
  });

  test("in another browser, without one, with another attempt, expired, and a second time", async () => {
    const { browser, code } = await page();
    await refuses(() => exchange(createBrowser(), code), /^401$/);
    const { browser: stranger, code: foreign } = await page();
    await refuses(() => exchange(stranger, code), /^401$/);
    await refuses(() => exchange(browser, foreign), /^401$/);
    await database.query("UPDATE oidc_sign_ins SET expires_at = now() - interval '1 second'");
    await refuses(() => exchange(browser, code), /^401$/);
    const late = await page();
    await back("one", late.browser);
    await refuses(() => exchange(late.browser, late.code), /^401$/);
    const good = await page();
    (await good.browser.session(api(0), good.code)).expect(200, AuthResponse);
    for (let n = 0; n < 3; n += 1) await refuses(() => exchange(good.browser, good.code), /^401$/);
  });
});

describe("a logout token is refused", () => {
  const event = "http://schemas.openid.net/event/backchannel-logout";
  const logout = (subject = "one"): JWTPayload => ({
    iss: provider.issuer,
    aud: clientId,
    iat: now(),
    exp: now() + 120,
    jti: randomBytes(8).toString("hex"),
    sub: subject,
    events: { [event]: {} },
  });
  const send = async (body: string, contentType = "application/x-www-form-urlencoded") => {
    const headers = { "content-type": contentType };
    return String(
      (await createClient(api(1)).send("POST", "/auth/oidc/back-channel-logout", { body, headers })).status,
    );
  };
  const sendToken = (token: string) => send(new URLSearchParams({ logout_token: token }).toString());

  /** Somebody who would be signed out. */
  beforeAll(async () => {
    const { browser, answer } = await back("one");
    (await browser.session(api(0), codeOf(await callback(browser, answer)))).expect(200, AuthResponse);
  });

  const claims: [name: string, change: (claims: JWTPayload) => JWTPayload][] = [
    ["of another issuer", (all) => ({ ...all, iss: "https://evil.example" })],
    ["without an issuer", ({ iss, ...all }) => all],
    ["for another audience", (all) => ({ ...all, aud: "somebody" })],
    ["without an audience", ({ aud, ...all }) => all],
    ["that is old", (all) => ({ ...all, iat: now() - 700, exp: now() + 60 })],
    ["of the future", (all) => ({ ...all, iat: now() + 120, exp: now() + 300 })],
    ["that has expired", (all) => ({ ...all, exp: now() - 60 })],
    ["without a time", ({ iat, ...all }) => all],
    ["without an id", ({ jti, ...all }) => all],
    ["with an empty id", (all) => ({ ...all, jti: "" })],
    ["whose id is no text", (all) => ({ ...all, jti: 7 as never })],
    ["without an event", ({ events, ...all }) => all],
    ["of another event", (all) => ({ ...all, events: { "https://evil.example": {} } })],
    ["whose event is no object", (all) => ({ ...all, events: { [event]: true } })],
    ["whose events are a list", (all) => ({ ...all, events: [event] })],
    ["with a nonce, as ID tokens have", (all) => ({ ...all, nonce: "x" })],
    ["of nobody", ({ sub, ...all }) => all],
    ["whose subject is empty", (all) => ({ ...all, sub: "" })],
    ["whose session is no text", (all) => ({ ...all, sid: 7 })],
    ["that is an ID token", ({ events, ...all }) => ({ ...all, nonce: "x", auth_time: now() })],
  ];
  test.each(claims)("%s", async (_name, change) => {
    await refuses(async () => sendToken(await provider.sign(change(logout()))), /^400$/);
  });

  const signatures: [name: string, signing: () => Signing | Promise<Signing>][] = [
    ["by another key", () => ({ key: other.privateKey })],
    ["by another key with another name", () => ({ key: other.privateKey, header: { kid: "evil" } })],
    [
      "by a key in its own header",
      () => ({ key: other.privateKey, header: { jwk: other.publicKey.export({ format: "jwk" }) } }),
    ],
    ["by another kind of key", () => ({ key: curve.privateKey, header: { alg: "ES256" } })],
    [
      "by the secret of the installation",
      () => ({ key: Buffer.from(clientSecret.padEnd(32, "0")), header: { alg: "HS256" } }),
    ],
    ["by the public key as a secret", async () => ({ key: await publicAsSecret(), header: { alg: "HS256" } })],
    ["as an access token", () => ({ header: { typ: "at+jwt" } })],
  ];
  test.each(signatures)("that is signed %s", async (_name, signing) => {
    await refuses(async () => sendToken(await provider.sign(logout(), await signing())), /^400$/);
  });

  test("without a signature, changed, in another form, missing, and twice", async () => {
    const token = await provider.sign(logout());
    for (const body of [
      new URLSearchParams({ logout_token: withoutSignature("none", logout()) }).toString(),
      new URLSearchParams({ logout_token: `${token.slice(0, -6)}AAAAAA` }).toString(),
      new URLSearchParams({ logout_token: "none" }).toString(),
      `logout_token=${token}&logout_token=${token}`,
      "logout_token=",
      "",
    ]) {
      await refuses(() => send(body), /^400$/);
    }
    await refuses(() => send(JSON.stringify({ logout_token: token }), "application/json"), /^400$/);
  });

  test("that was used before, at any process", async () => {
    const token = await provider.sign(logout("nobody-here"));
    expect(await sendToken(token)).toBe("200");
    await refuses(() => sendToken(token), /^400$/);
    await refuses(async () => {
      const body = new URLSearchParams({ logout_token: token }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return String(
        (await createClient(api(0)).send("POST", "/auth/oidc/back-channel-logout", { body, headers })).status,
      );
    }, /^400$/);
  });

  test("in a form of more than 16 KB", async () => {
    const body = `logout_token=${"x".repeat(16 * 1024)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await createClient(api(0)).send("POST", "/auth/oidc/back-channel-logout", { body, headers });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ error: "Request body must be at most 16 KB" }),
    ]);
  });

  test("after a hundred wrong ones of an address", async () => {
    const statuses = new Set<string>();
    for (let n = 0; n < 10; n += 1) {
      for (const status of await Promise.all(Array.from({ length: 10 }, () => sendToken("wrong"))))
        statuses.add(status);
    }
    expect(statuses).toContain("429");
    const unread = await fetch(`${api(0)}/auth/oidc/back-channel-logout`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      // Its end never arrives: the address is counted first.
      body: new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([0x61])) }),
      duplex: "half",
    });
    expect(unread.status).toBe(429);
    await unread.body?.cancel();
  });
});

test("at least a hundred answers were refused", () => {
  expect(refusedInAll).toBeGreaterThanOrEqual(100);
});
