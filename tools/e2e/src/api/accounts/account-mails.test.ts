import { randomUUID } from "node:crypto";
import { errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  type EquippedStack,
  type RestClient,
  readMail,
  sharedStack,
  type UserClient,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";

let stack: EquippedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const newAddress = () => `${randomUUID()}@example.com`;
const mailsTo = (address: string, subject: string) =>
  stack.mails.filter(({ to, source }) => to.includes(address) && source.includes(`Subject: ${subject}`));
/** The token of the newest of that many mails. */
async function tokenOf(address: string, subject: string, count = 1): Promise<string> {
  await waitUntil(() => mailsTo(address, subject).length >= count, { what: `${count} mails for ${subject}` });
  const token = /Token: ([0-9a-f]{64})/.exec(mailsTo(address, subject).at(-1)?.source ?? "")?.[1];
  if (token === undefined) throw new Error("The mail has no token");
  return token;
}
const askForReset = (email: string) => client.post("/auth/request-password-reset", { email });
const resetSubject = "Set a new password";
const verifySubject = "Verify your address";

describe("a forgotten password", () => {
  test("a forgotten password is set with the token that is mailed, and all sessions end at every gateway", async () => {
    const email = newAddress();
    const ann = await client.register({ email });
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, ann.accessToken));
    await Promise.all(sockets.map(({ ready }) => ready));
    // Another spelling of the mailbox; the mail goes to the one that the account has.
    expect((await askForReset(email.toUpperCase())).status).toBe(202);
    const token = await tokenOf(email, resetSubject);
    expect(mailsTo(email, resetSubject)[0]?.source).toContain("From: Chess <club@example.com>");
    const body = { token, new_password: "a new password" };
    expect((await client.post("/auth/reset-password", body)).status).toBe(200);
    for (const { closed } of sockets) expect((await closed).code).toBe(1000);
    expect((await client.post("/auth/login", { username: ann.username, password: "a new password" })).status).toBe(200);
    expect((await client.post("/auth/reset-password", body)).status).toBe(401);
    expect(stack.output().join("\n")).not.toContain(token);
  });

  test("a forgotten password is mailed no more than three tokens, however many ask for one at the same moment", async () => {
    const email = newAddress();
    const { user } = await client.register({ email });
    const database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    try {
      await database.query("BEGIN");
      // Tokens can be counted, and none can be stored.
      await database.query("LOCK TABLE password_resets IN SHARE MODE");
      const answers = await Promise.all(Array.from({ length: 8 }, () => askForReset(email)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
      await waitUntil(async () => (await waitingForLocks(database)) >= 2, { what: "both apis to store a token" });
      await database.query("COMMIT");
      await tokenOf(email, resetSubject, 3);
      await waitUntil(async () => (await waitingForLocks(database)) === 0);
      const issued = await database.query("SELECT FROM password_resets WHERE user_id = $1", [user.id]);
      expect(issued.rows).toHaveLength(3);
    } finally {
      await database.end();
    }
  });

  test("a forgotten password does not reveal which addresses have an account, and mails at most three tokens to one", async () => {
    const email = newAddress();
    await client.register({ email });
    const stranger = newAddress();
    const answers = [];
    for (let n = 0; n < 4; n += 1) {
      answers.push(await askForReset(email), await askForReset(stranger));
      await waitUntil(() => mailsTo(email, resetSubject).length >= Math.min(n + 1, 3));
    }
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    // Mails leave in the order in which they were asked for.
    const later = newAddress();
    await client.register({ email: later });
    await askForReset(later);
    await tokenOf(later, resetSubject);
    expect([mailsTo(email, resetSubject).length, mailsTo(stranger, resetSubject).length]).toEqual([3, 0]);
    expect((await askForReset("nobody")).body).toEqual(error("Invalid email address"));
  });
});

describe("mails", () => {
  const mailFor = async (wanted: string) => {
    const email = newAddress();
    await client.register({ email });
    await tokenOf(email, verifySubject);
    const headers = { "accept-language": wanted };
    await client.send("POST", "/auth/request-password-reset", { body: { email }, headers });
    const mailsOf = () => stack.mails.filter(({ to }) => to.includes(email));
    await waitUntil(() => mailsOf().length === 2, { what: `a mail for ${wanted}` });
    for (const { source } of mailsOf()) expect(source).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    return readMail(mailsOf()[1]?.source ?? "");
  };

  test("mails are in the language that the request prefers, with its subject and a token that works", async () => {
    const german = await mailFor("fr, de-AT;q=0.9, en;q=0.8");
    expect(german).toMatchObject({ language: "de", subject: "Neues Passwort festlegen" });
    expect(german.text).toContain("Wenn du das nicht warst");
    const arabic = await mailFor("en;q=0.3, ar");
    expect(arabic).toMatchObject({ language: "ar", subject: "تعيين كلمة مرور جديدة" });
    const token = /الرمز: ([0-9a-f]{64})/.exec(arabic.text)?.[1];
    const body = { token, new_password: "a new password" };
    expect((await client.post("/auth/reset-password", body)).status).toBe(200);
  });

  test("mails are in English for a language that there is none in", async () => {
    expect(await mailFor("ja, fr;q=0.5")).toMatchObject({ language: "en", subject: resetSubject });
  });
});

describe("an e-mail address", () => {
  const state = async (user: UserClient) => (await user.get("/auth/email")).body;
  const verify = (token: unknown) => client.post("/auth/verify-email", { token });

  test("an e-mail address is verified with the token that is mailed at the registration, once", async () => {
    const email = newAddress();
    const ann = await client.register({ email });
    expect(await state(ann)).toEqual({ email, verified: false });
    const token = await tokenOf(email, verifySubject);
    expect((await verify(token)).status).toBe(200);
    expect(await state(ann)).toEqual({ email, verified: true });
    const again = await verify(token);
    expect([again.status, again.body]).toEqual([401, error("Invalid or expired verification token")]);
    expect((await ann.post("/auth/request-email-verification")).body).toEqual(
      error("The e-mail address is already verified"),
    );
  });

  test("an e-mail address is mailed another token on demand, and expired ones are refused", async () => {
    const email = newAddress();
    const ann = await client.register({ email });
    const first = await tokenOf(email, verifySubject);
    await runSql(stack.databaseUrl, "UPDATE email_verifications SET expires_at = now() WHERE user_id = $1", [
      ann.user.id,
    ]);
    expect((await verify(first)).status).toBe(401);
    expect((await ann.post("/auth/request-email-verification")).status).toBe(202);
    expect((await verify(await tokenOf(email, verifySubject, 2))).status).toBe(200);
    expect((await verify("")).body).toEqual(error("token must be 1-2048 characters"));
  });

  test("an e-mail address is needed before its verification can be asked for", async () => {
    const ann = await client.register();
    expect(await state(ann)).toEqual({ email: null, verified: false });
    const answer = await ann.post("/auth/request-email-verification");
    expect([answer.status, answer.body]).toEqual([400, error("This account has no e-mail address")]);
  });
});
