import { randomUUID } from "node:crypto";
import { AuthResponse, errorBody as error } from "@parley/contracts";
import { type ReadMail, readMail, type UserClient, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createBotClient, registerAdmin } from "../stages/admin-stage.js";
import { connectTo, sentBehind } from "../stages/lock-stage.js";
import { sharedProvider, type TestProvider } from "../stages/oidc-provider-stage.js";
import { activateCodes, createPasskeyStage } from "../stages/passkey-stage.js";
import { codeOf, createBrowser } from "./oidc-browser.js";

let stage: Awaited<ReturnType<typeof createPasskeyStage>>;
let provider: TestProvider;

beforeAll(async () => {
  stage = await createPasskeyStage();
  provider = await sharedProvider(stage.stack);
});

/** Somebody whom the provider knows. */
function person(claims: object = {}): string {
  const subject = randomUUID();
  provider.people.set(subject, { preferred_username: `p_${subject.slice(0, 8)}`, ...claims });
  return subject;
}
async function signIn(subject: string) {
  const [browser, api] = [createBrowser(), stage.stack.apis[0]?.url ?? ""];
  const query = await browser.atProvider(await browser.start(api), subject);
  return (await browser.session(api, codeOf(await browser.callback(api, query)))).expect(200, AuthResponse);
}
async function connect(user: UserClient, subject: string, code?: string): Promise<void> {
  const [browser, api] = [createBrowser(), stage.stack.apis[0]?.url ?? ""];
  const begun = await user.post("/auth/oidc/link", { password: user.password, code });
  const { url } = begun.expect(200, z.object({ url: z.string() }));
  const name = "__Host-parley-sign-in";
  browser.cookies.set(name, new RegExp(`^${name}=([^;]+)`).exec(begun.headers.getSetCookie()[0] ?? "")?.[1] ?? "");
  const body = { code: codeOf(await browser.callback(api, await browser.atProvider(url, subject))) };
  const headers = { cookie: `${name}=${browser.cookies.get(name)}` };
  expect((await user.send("POST", "/auth/oidc/link/confirm", { body, headers })).status).toBe(204);
}

const mailsTo = (address: string): ReadMail[] =>
  stage.stack.mails.filter(({ to }) => to.includes(address)).map(({ source }) => readMail(source));
const waitForMail = (address: string, text: string) =>
  waitUntil(() => mailsTo(address).find((mail) => mail.text.includes(text)), { what: `a mail with “${text}”` });

/** Sets the password by a token that is mailed. */
async function recover(email: string, new_password = "of the owner"): Promise<void> {
  expect((await stage.one.post("/auth/request-password-reset", { email })).status).toBe(202);
  const { text } = await waitForMail(email, "asked to set a new password");
  const token = /Token: ([0-9a-f]{64})/.exec(text)?.[1];
  expect((await stage.other.post("/auth/reset-password", { token, new_password })).status).toBe(200);
}
const logIn = ({ username }: UserClient, password: string) => stage.one.post("/auth/login", { username, password });

/** An account that somebody has registered with another one's address, and every way into it that they can set. */
async function takeBeforehand() {
  const email = `${randomUUID()}@example.com`;
  const user = await stage.one.register({ email });
  const { credential } = await stage.add(user);
  const subject = person();
  await connect(user, subject);
  const bot = await createBotClient(user);
  await activateCodes(user);
  return { email, user, credential, subject, bot };
}

describe("a password that is set by mail gives the account back", () => {
  test("a second factor, passkeys, connections, sessions and tokens of bots that were set beforehand have ended", async () => {
    const { email, user, credential, subject, bot } = await takeBeforehand();
    expect((await stage.logIn(credential)).status).toBe(200);
    const atProvider = await signIn(subject);
    expect(atProvider.user.id).toBe(user.user.id);
    expect((await bot.client.get("/users/@me")).status).toBe(200);
    await recover(email);

    const answer = await logIn(user, "of the owner");
    const owner = stage.one.withAuthorization(`Bearer ${answer.expect(200, AuthResponse).access_token}`);
    expect((await owner.get("/auth/second-factor")).body).toEqual({ active: false, recovery_codes_left: 0 });
    expect((await owner.get("/auth/passkeys")).body).toEqual([]);
    expect((await stage.logIn(credential)).body).toEqual(error("Invalid or expired passkey answer"));
    expect((await owner.get("/auth/oidc/link")).body).toEqual({ connected_at: null });
    expect((await signIn(subject)).user.id).not.toBe(user.user.id);
    for (const token of [user.accessToken, atProvider.access_token]) {
      expect((await stage.other.withAuthorization(`Bearer ${token}`).get("/users/@me")).status).toBe(401);
    }
    expect((await bot.client.get("/users/@me")).status).toBe(401);
    const renewed = await owner.post(`/bots/${bot.id}/token/regenerate`);
    const { token } = renewed.expect(200, z.object({ token: z.string() }));
    expect((await stage.one.withAuthorization(`Bot ${token}`).get("/users/@me")).status).toBe(200);
  });

  test("an administrator's token does the same for somebody who has lost device and codes", async () => {
    const { email, user } = await takeBeforehand();
    const admin = await registerAdmin(stage.one, stage.stack.databaseUrl);
    const issued = await admin.post("/auth/forgot-password", { email });
    const { token } = issued.expect(200, z.object({ token: z.string() }));
    expect((await stage.one.post("/auth/reset-password", { token, new_password: "of the owner" })).status).toBe(200);
    expect((await logIn(user, "of the owner")).status).toBe(200);
  });

  test("an account that was made at the provider stays that person's", async () => {
    const email = `${randomUUID()}@example.com`;
    const subject = person({ email, email_verified: true });
    const { user } = await signIn(subject);
    await recover(email);
    expect((await signIn(subject)).user.id).toBe(user.id);
  });
});

test("a login with a passkey that began before the password was changed begins no session, and ends none", async () => {
  const user = await stage.one.register();
  const { passkey, credential } = await stage.add(user);
  const database = await connectTo(stage.stack);
  onTestFinished(() => database.end());
  const held = { sql: "SELECT FROM passkeys WHERE id = $1 FOR UPDATE", values: [passkey.id] };
  let kept: AuthResponse | undefined;
  const late = await sentBehind(database, [held], {
    send: () => stage.logIn(credential),
    async meanwhile() {
      const body = { current_password: user.password, new_password: "of the owner" };
      kept = (await user.post("/auth/change-password", body)).expect(200, AuthResponse);
    },
  });
  const { access_token } = late.expect(200, AuthResponse);
  expect((await stage.one.withAuthorization(`Bearer ${access_token}`).get("/users/@me")).status).toBe(401);
  expect((await stage.one.post("/auth/refresh", { refresh_token: kept?.refresh_token })).status).toBe(200);
});

describe("a change of how an account signs in is mailed to its owner", () => {
  const subject = "How you sign in was changed";
  const changes = (address: string) => mailsTo(address).filter((mail) => mail.subject === subject);

  test("each of them, with the name of the account and in no other's mail", async () => {
    const email = `${randomUUID()}@example.com`;
    const user = await stage.one.register({ email });
    const { password } = user;
    const mailed = async (text: string) => expect((await waitForMail(email, text)).text).toContain(user.username);
    const { passkey } = await stage.add(user);
    await mailed("A passkey was added.");
    expect((await user.delete(`/auth/passkeys/${passkey.id}`, { password })).status).toBe(204);
    await mailed("A passkey was removed.");
    await connect(user, person());
    await mailed("The account was connected with the sign-in provider.");
    expect((await user.delete("/auth/oidc/link", { password })).status).toBe(204);
    await mailed("The account was disconnected from the sign-in provider.");
    const [code] = await activateCodes(user);
    await mailed("The second factor was turned on.");
    expect((await user.delete("/auth/second-factor", { password, code })).status).toBe(204);
    await mailed("The second factor was turned off.");
    const changed = await user.post("/auth/change-password", {
      current_password: password,
      new_password: "another one",
    });
    expect(changed.status).toBe(200);
    await mailed("The password was changed.");
    await recover(email);
    await mailed("The password was set anew by a token.");
    expect(changes(email)).toHaveLength(8);
  });

  test.each([
    ["de", "Deine Anmeldung wurde geändert", "Das Passwort wurde geändert."],
    ["ar", "تغيّرت طريقة تسجيل دخولك", "غُيّرت كلمة المرور"],
  ])("in the language of the request: %s", async (language, mailSubject, text) => {
    const email = `${randomUUID()}@example.com`;
    const user = await stage.one.register({ email });
    const body = { current_password: user.password, new_password: "another one" };
    const changed = await user.send("POST", "/auth/change-password", {
      body,
      headers: { "accept-language": language },
    });
    expect(changed.status).toBe(200);
    expect(await waitForMail(email, text)).toMatchObject({ subject: mailSubject, language });
  });

  test("no more than ten in a row, as the address may be somebody else's", async () => {
    const email = `${randomUUID()}@example.com`;
    const user = await stage.one.register({ email });
    let { password } = user;
    let access = user.accessToken;
    const change = async (to: string) => {
      const body = { current_password: password, new_password: to };
      const answer = await stage.one.withAuthorization(`Bearer ${access}`).post("/auth/change-password", body);
      ({ access_token: access } = answer.expect(200, AuthResponse));
      password = to;
    };
    for (let n = 0; n < 11; n += 1) await change(`password ${n}`);
    await waitUntil(() => changes(email).length >= 10, { what: "ten mails" });
    // A mail to another account arrives, so the eleventh mail to this one would have arrived before it.
    const other = `${randomUUID()}@example.com`;
    const second = await stage.one.register({ email: other });
    await activateCodes(second);
    await waitForMail(other, "The second factor was turned on.");
    expect(changes(email)).toHaveLength(10);
  });
});
