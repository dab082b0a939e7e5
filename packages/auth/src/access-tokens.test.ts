import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import fc from "fast-check";
import jwt from "jsonwebtoken";
import { describe, expect, test } from "vitest";
import { createAccessTokens } from "./access-tokens.js";

const secret = "a-secret-of-at-least-32-characters!";
const otherSecret = "another-secret-of-32-characters!!!!";
const tokens = createAccessTokens({ secret });
const userId = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function signedBy(key: string, header: unknown, payload: unknown): string {
  const input = `${base64url(header)}.${base64url(payload)}`;
  return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
}
const hs256 = { alg: "HS256", typ: "JWT" };
const later = Math.floor(Date.now() / 1000) + 600;

describe("access tokens", () => {
  test("access tokens are JWTs with sub, iat, exp 15 minutes later and a jti of their own", () => {
    const [first, second] = [tokens.issue({ userId }), tokens.issue({ userId })];
    const decoded = jwt.decode(first, { complete: true });
    expect(decoded?.header).toEqual(hs256);
    const payload = decoded === null || typeof decoded.payload === "string" ? {} : decoded.payload;
    expect(Object.keys(payload).sort()).toEqual(["exp", "iat", "jti", "sub"]);
    expect(payload.sub).toBe(userId);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    expect(first).not.toBe(second);
  });

  test("name the user and the time they expire", () => {
    const claims = tokens.verify(tokens.issue({ userId }));
    expect(claims).toMatchObject({ userId, bot: false });
    const secondsLeft = ((claims?.expiresAt.getTime() ?? 0) - Date.now()) / 1000;
    expect(secondsLeft).toBeGreaterThan(890);
    expect(secondsLeft).toBeLessThanOrEqual(901);
  });

  test("say that they belong to a bot", () => {
    expect(tokens.verify(tokens.issue({ userId, bot: true }))).toMatchObject({ userId, bot: true });
  });

  test("access tokens of bots name the version of the account's sessions, and are of the first one without it", () => {
    const session = { id: null, version: 7 };
    expect(tokens.verify(tokens.issue({ userId, bot: true, session }))).toMatchObject({ bot: true, session });
    const former = signedBy(secret, hs256, { sub: userId, exp: later, bot: true });
    expect(tokens.verify(former)).toMatchObject({ bot: true, session: { id: null, version: 0 } });
  });

  test("access tokens name their session", () => {
    const session = { id: "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f61", version: 7 };
    expect(tokens.verify(tokens.issue({ userId, session }))).toMatchObject({ userId, session });
    expect(tokens.verify(tokens.issue({ userId }))).toMatchObject({ session: { id: null, version: 0 } });
  });

  test("access tokens are refused once expired", () => {
    const expired = createAccessTokens({ secret, ttlSeconds: -1 }).issue({ userId });
    expect(tokens.verify(expired)).toBeNull();
  });

  test("outlive a change of the secret, but are not issued with the old one", () => {
    const old = createAccessTokens({ secret: otherSecret }).issue({ userId });
    const rotated = createAccessTokens({ secret, previousSecret: otherSecret });
    expect(tokens.verify(old)).toBeNull();
    expect(rotated.verify(old)).toMatchObject({ userId });
    expect(tokens.verify(rotated.issue({ userId }))).toMatchObject({ userId });
  });

  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 42],
    ["an object", { token: "x" }],
    ["an empty text", ""],
    ["a text without dots", "token"],
    ["two dots only", ".."],
    ["a huge text", `${"a".repeat(1_000_000)}.b.c`],
    ["a NUL", "a\u0000.b.c"],
    ["a bot token", "0".repeat(64)],
    ["a good token with a blank", `${tokens.issue({ userId })} `],
    ["a good token without its signature", `${tokens.issue({ userId }).split(".").slice(0, 2).join(".")}.`],
    ["algorithm none", `${base64url({ alg: "none" })}.${base64url({ sub: userId, exp: later })}.`],
    ["algorithm none with a signature", signedBy(secret, { alg: "none" }, { sub: userId, exp: later })],
    ["no algorithm", signedBy(secret, {}, { sub: userId, exp: later })],
    ["an algorithm that is no text", signedBy(secret, { alg: 256 }, { sub: userId, exp: later })],
    ["HS512", jwt.sign({ sub: userId, exp: later }, secret, { algorithm: "HS512" })],
    ["RS256", jwt.sign({ sub: userId, exp: later }, rsa.privateKey, { algorithm: "RS256" })],
    ["HS256 keyed with a public key", signedBy(publicPem, hs256, { sub: userId, exp: later })],
    ["another secret", signedBy(otherSecret, hs256, { sub: userId, exp: later })],
    ["no subject", signedBy(secret, hs256, { exp: later })],
    ["a subject that is no UUID", signedBy(secret, hs256, { sub: "admin", exp: later })],
    ["a subject that is no text", signedBy(secret, hs256, { sub: 7, exp: later })],
    ["no expiry", signedBy(secret, hs256, { sub: userId })],
    ["an expiry that is no number", signedBy(secret, hs256, { sub: userId, exp: "never" })],
    ["an expiry that is no whole number", signedBy(secret, hs256, { sub: userId, exp: later + 0.5 })],
    ["a payload that is a text", signedBy(secret, hs256, "payload")],
    ["a payload that is null", signedBy(secret, hs256, null)],
    ["a payload that is a list", signedBy(secret, hs256, [])],
    ["a token that is not valid yet", signedBy(secret, hs256, { sub: userId, exp: later, nbf: later - 60 })],
  ])("an access token is refused: %s", (_text, token) => expect(tokens.verify(token)).toBeNull());

  test("accepts what the same secret signed by hand", () => {
    expect(tokens.verify(signedBy(secret, hs256, { sub: userId, exp: later, extra: [1] }))).toMatchObject({ userId });
  });

  test("refuses every token with one character changed", () => {
    const token = tokens.issue({ userId: randomUUID() });
    for (let at = 0; at < token.length; at++) {
      // The last character of a base64url text may carry unused bits, so change a bit that counts.
      const changed = `${token.slice(0, at)}${token[at] === "A" ? "z" : "A"}${token.slice(at + 1)}`;
      expect(tokens.verify(changed)).toBeNull();
    }
  });

  test("reading an access token never throws", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string(),
          fc.array(fc.string(), { size: "small" }).map((p) => p.join(".")),
        ),
        (input) => {
          expect(tokens.verify(input)).toBeNull();
        },
      ),
    ));
});

describe("verification speed", () => {
  // A ratio within one run, because machines differ; the reason for preparing the key.
  test("gains from the prepared key", () => {
    const token = tokens.issue({ userId });
    const perSecond = (verify: () => void) => {
      const startedAt = performance.now();
      let count = 0;
      while (performance.now() - startedAt < 300) {
        for (let n = 0; n < 20; n++) verify();
        count += 20;
      }
      return Math.round((count * 1000) / (performance.now() - startedAt));
    };
    const fromText = perSecond(() => jwt.verify(token, secret, { algorithms: ["HS256"] }));
    const prepared = perSecond(() => tokens.verify(token));
    process.stdout.write(`access tokens verified per second: prepared key ${prepared}, string secret ${fromText}\n`);
    expect(prepared).toBeGreaterThan(fromText);
  });
});
