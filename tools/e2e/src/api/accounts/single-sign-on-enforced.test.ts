import { AuthResponse, errorTexts } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import { createClient, publicUrl, useMortalStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { clientId, clientSecret, startProvider, type TestProvider } from "../stages/oidc-provider-stage.js";
import { codeOf, createBrowser } from "./oidc-browser.js";

const mortal = useMortalStack();
let provider: TestProvider;
/** An api where single sign-on is enforced. */
let strict: ServerProcess;

beforeAll(async () => {
  provider = await startProvider({ publicUrl, logoutTo: () => strict.url });
  strict = await startStrict();
});
afterAll(() => provider?.close());

const startStrict = () =>
  mortal.stack.startApi({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ENFORCED: "true",
      OIDC_PROVISIONING: "false",
      OIDC_ALLOWED_DOMAINS: "FIDE.example, club.example",
    },
  });

const Refused = z.object({ code: z.string() });
let people = 0;

/** Somebody whom the provider knows. */
function person(claims: Record<string, unknown> = {}): string {
  people += 1;
  const subject = `subject-${people}`;
  provider.people.set(subject, { preferred_username: `player_${people}`, ...claims });
  return subject;
}

async function attemptSignIn(subject: string) {
  const browser = createBrowser();
  const query = await browser.atProvider(await browser.start(strict.url), subject);
  return browser.session(strict.url, codeOf(await browser.callback(strict.url, query)));
}

test("a sign-in that is refused at the provider, or finds it away, says so", async () => {
  const browser = createBrowser();
  const refused = await browser.atProvider(await browser.start(strict.url), "");
  expect(await browser.callback(strict.url, refused)).toBe("#sign-in-refused=denied");
  const query = await browser.atProvider(await browser.start(strict.url), person());
  provider.setAway(true);
  expect(await browser.callback(strict.url, query)).toBe("#sign-in-refused=unavailable");
  // An api that has not asked the provider yet starts without it.
  const late = await startStrict();
  const away = await createClient(late.url).get("/auth/oidc/start");
  expect([away.status, away.expect(503, Refused).code]).toEqual([503, "sign_in_provider_unavailable"]);
  provider.setAway(false);
  await waitUntil(async () => (await createBrowser().get(late.url, "/auth/oidc/start")).status === 302);
});

describe("where single sign-on is enforced", () => {
  test("passwords neither sign in nor register nor are set", async () => {
    const anybody = createClient(strict.url);
    const [username, password] = ["somebody", "some password"];
    const bodies = [
      ["/auth/login", { username, password }],
      ["/auth/register", { username: "somebody_new", password }],
      ["/auth/reset-password", { token: "x", new_password: password }],
      ["/auth/request-password-reset", { email: "m@fide.example" }],
    ] as const;
    for (const [path, body] of bodies) {
      const answer = await anybody.post(path, body);
      expect([path, answer.status, answer.body]).toMatchObject([path, 403, { error: errorTexts.single_sign_on_only }]);
    }
    expect((await anybody.get("/instance/sign-in")).body).toMatchObject({
      password: false,
      oidc: { name: "Chess Federation" },
    });
    const [other] = mortal.stack.apis;
    expect((await createClient(other?.url ?? "").get("/instance/sign-in")).body).toMatchObject({ password: true });
  });

  test("an address of an allowed domain is needed, and an account where none is made", async () => {
    const address = (email: string, email_verified: unknown = true) => ({ email, email_verified });
    const refusal = async (subject: string) => {
      const answer = await attemptSignIn(subject);
      return answer.status === 200 ? "none" : Refused.parse(answer.body).code;
    };
    for (const claims of [
      {},
      address("a@evil.example"),
      address("a@fide.example", false),
      address("a@sub.fide.example"),
      address("a@evilfide.example"),
      address("fide.example@evil.example"),
    ]) {
      expect([claims, await refusal(person(claims))]).toEqual([claims, "sign_in_domain_refused"]);
    }
    const known = person(address("b@Fide.Example", "true"));
    expect(await refusal(known)).toBe("sign_in_account_missing");
    const made = `WITH made AS (INSERT INTO users (username) VALUES ($3) RETURNING id)
      INSERT INTO oidc_identities (issuer, subject, user_id) SELECT $1, $2, id FROM made`;
    await runSql(mortal.stack.databaseUrl, made, [provider.issuer, known, "known_player"]);
    const { user, refresh_token } = (await attemptSignIn(known)).expect(200, AuthResponse);
    expect(user.username).toBe("known_player");
    expect((await createClient(strict.url).post("/auth/refresh", { refresh_token })).status).toBe(200);
  });
});
