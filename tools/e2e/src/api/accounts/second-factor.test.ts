import { AuthResponse, errorBody as error } from "@parley/contracts";
import { createClient, type RestClient, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const Begun = z.strictObject({ secret: z.string(), otpauth_url: z.string() });
const Confirmed = z.strictObject({ recovery_codes: z.array(z.string().min(10)).length(10) });
const path = "/auth/second-factor";
const state = async (user: RestClient) => (await user.get(path)).body;
/** The code of the present period, or of a later one. */
const codeOf = (secret: string, periodsLater = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periodsLater * 30_000 });
const wrongCode = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((periods) => codeOf(secret, periods));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) ?? "";
};
const login = ({ username, password }: UserClient, code?: unknown) =>
  client.post("/auth/login", { username, password, ...(code === undefined ? {} : { code }) });
async function activate() {
  const user = await client.register();
  const { secret, otpauth_url } = (await user.post(path, { password: user.password })).expect(201, Begun);
  const { recovery_codes } = (await user.post(`${path}/confirm`, { code: codeOf(secret) })).expect(200, Confirmed);
  return { user, secret, otpauth_url, recovery_codes };
}

test("a second factor is asked for once it is confirmed, and each code works once", async () => {
  const user = await client.register();
  expect(await state(user)).toEqual({ active: false, recovery_codes_left: 0 });
  const first = (await user.post(path, { password: user.password })).expect(201, Begun);
  const { secret, otpauth_url } = (await user.post(path, { password: user.password })).expect(201, Begun);
  expect(secret).not.toBe(first.secret);
  expect(otpauth_url).toContain(`otpauth://totp/Parley:${user.username}?`);
  expect((await login(user)).status).toBe(200);
  const wrong = await user.post(`${path}/confirm`, { code: wrongCode(secret) });
  expect([wrong.status, wrong.body]).toEqual([400, error("Invalid second factor code")]);
  const used = codeOf(secret);
  (await user.post(`${path}/confirm`, { code: used })).expect(200, Confirmed);
  expect(await state(user)).toEqual({ active: true, recovery_codes_left: 10 });
  for (const again of [
    await user.post(path, { password: user.password }),
    await user.post(`${path}/confirm`, { code: used }),
  ]) {
    expect([again.status, again.body]).toEqual([400, error("The second factor is already active")]);
  }

  for (const [code, text] of [
    [undefined, "Second factor required"],
    [null, "Second factor required"],
    [used, "Invalid second factor code"],
    [wrongCode(secret), "Invalid second factor code"],
    ["no such recovery code", "Invalid second factor code"],
  ] as const) {
    const answer = await login(user, code);
    expect([code, answer.status, answer.body]).toEqual([code, 401, error(text)]);
  }
  const next = codeOf(secret, 1);
  const answers = await Promise.all([login(user, next), login(user, next)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  // Sessions from before go on: the api does not ask them again.
  expect((await user.get("/users/@me")).status).toBe(200);
  expect((await client.post("/auth/refresh", { refresh_token: user.refreshToken })).status).toBe(200);
  expect((await client.post("/auth/login", { username: user.username, password: "wrong", code: next })).body).toEqual(
    error("Invalid username or password"),
  );
});

test("a second factor has recovery codes, and each works once, however it is written", async () => {
  const { user, recovery_codes } = await activate();
  const [one = "", two = ""] = recovery_codes;
  (await login(user, `${one.slice(0, 4)}-${one.slice(4).toUpperCase()} `)).expect(200, AuthResponse);
  expect((await login(user, one)).body).toEqual(error("Invalid second factor code"));
  expect((await login(user, two)).status).toBe(200);
  expect(await state(user)).toEqual({ active: true, recovery_codes_left: 8 });
  expect(new Set(recovery_codes).size).toBe(10);
});

test("a second factor is removed with password and code", async () => {
  const { user, secret } = await activate();
  const remove = (body: object) => user.delete(path, body);
  for (const [body, status, text] of [
    [{ password: "wrong", code: codeOf(secret, 1) }, 403, "Wrong password"],
    [{ password: user.password, code: wrongCode(secret) }, 403, "Invalid second factor code"],
    [{ password: user.password }, 400, "code must be 1-64 characters"],
  ] as const) {
    const answer = await remove(body);
    expect([answer.status, answer.body]).toEqual([status, error(text)]);
  }
  expect((await remove({ password: user.password, code: codeOf(secret, 1) })).status).toBe(204);
  expect(await state(user)).toEqual({ active: false, recovery_codes_left: 0 });
  expect((await login(user)).status).toBe(200);
});

test("guesses of a second factor are refused after ten, also where the account has logged in, and a missing code is none", async () => {
  const { user, secret, recovery_codes } = await activate();
  expect((await login(user, recovery_codes[0])).status).toBe(200);
  for (let n = 0; n < 11; n += 1) expect((await login(user)).body).toEqual(error("Second factor required"));
  const statuses = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await login(user, wrongCode(secret))).status);
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
});

test("the secret of a second factor is neither stored as it is nor logged", async () => {
  const { user, secret, recovery_codes } = await activate();
  const rows = JSON.stringify([
    await runSql(stack.databaseUrl, "SELECT * FROM second_factors WHERE user_id = $1", [user.user.id]),
    await runSql(stack.databaseUrl, "SELECT * FROM recovery_codes WHERE user_id = $1", [user.user.id]),
  ]);
  for (const text of [secret, ...recovery_codes]) {
    expect(rows).not.toContain(text);
    expect(stack.output().join("\n")).not.toContain(text);
  }
});

test("a second factor is refused to bots and with a wrong password, and its confirmation before it is begun", async () => {
  const user = await client.register();
  expect((await user.post(`${path}/confirm`, { code: "123456" })).body).toEqual(
    error("There is no second factor to confirm"),
  );
  expect((await user.post(path, { password: "wrong" })).body).toEqual(error("Wrong password"));
  expect((await client.get(path)).status).toBe(401);
  const bot = await createBotClient(user);
  for (const [method, at] of [
    ["GET", path],
    ["POST", path],
    ["POST", `${path}/confirm`],
    ["DELETE", path],
  ] as const) {
    expect((await bot.client.send(method, at)).body).toEqual(error("Bots cannot access account endpoints"));
  }
});
