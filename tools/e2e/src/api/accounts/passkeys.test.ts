import { AuthResponse, errorBody as error } from "@parley/contracts";
import { createCredential } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, registerAdmin, runSql } from "../stages/admin-stage.js";
import { activateCodes, createPasskeyStage, Passkey, path } from "../stages/passkey-stage.js";

let stage: Awaited<ReturnType<typeof createPasskeyStage>>;
beforeAll(async () => {
  stage = await createPasskeyStage();
});

const Passkeys = z.array(Passkey);

test("a passkey is made at one api, listed, renamed and removed at the other one", async () => {
  const { one, other, add } = stage;
  const user = await one.register();
  const elsewhere = other.withAuthorization(`Bearer ${user.accessToken}`);
  const { passkey } = await add(user, createCredential(), "  Phone ");
  expect(passkey).toMatchObject({ name: "Phone", last_used_at: null, backed_up: false });
  const { passkey: second } = await add(user, createCredential(), "Key");
  expect((await elsewhere.get(path)).expect(200, Passkeys)).toEqual([passkey, second]);

  const renamed = (await elsewhere.patch(`${path}/${passkey.id}`, { name: "Old phone" })).expect(200, Passkey);
  expect(renamed).toEqual({ ...passkey, name: "Old phone" });
  expect((await user.patch(`${path}/${passkey.id}`, {})).body).toEqual(renamed);
  for (const name of ["", "  ", "n".repeat(65), 7]) {
    const answer = await user.patch(`${path}/${passkey.id}`, { name });
    expect([answer.status, answer.body]).toEqual([400, error("name must be 1-64 characters")]);
  }

  const remove = (password: string) => elsewhere.delete(`${path}/${passkey.id}`, { password });
  expect([(await remove("wrong")).status, (await remove("wrong")).body]).toEqual([403, error("Wrong password")]);
  expect((await remove(user.password)).status).toBe(204);
  expect((await remove(user.password)).body).toEqual(error("Passkey not found"));
  expect((await user.get(path)).expect(200, Passkeys)).toEqual([second]);

  const stranger = await one.register();
  expect((await stranger.get(path)).body).toEqual([]);
  for (const answer of [
    await stranger.patch(`${path}/${second.id}`, { name: "Mine" }),
    await stranger.delete(`${path}/${second.id}`, { password: stranger.password }),
  ]) {
    expect([answer.status, answer.body]).toEqual([404, error("Passkey not found")]);
  }
  expect((await user.get(path)).body).toEqual([second]);
});

test.each(["ES256", "EdDSA", "RS256"] as const)(
  "a passkey with a key of %s logs in at another api than the one that asked it, and its use is noted",
  async (algorithm) => {
    const { one, add, logIn } = stage;
    const user = await one.register();
    const { passkey, credential } = await add(user, createCredential(algorithm));
    const { user: account, access_token } = (await logIn(credential)).expect(200, AuthResponse);
    expect(account.id).toBe(user.user.id);
    const [listed] = (await one.withAuthorization(`Bearer ${access_token}`).get(path)).expect(200, Passkeys);
    expect(listed).toEqual({ ...passkey, last_used_at: expect.any(String) });
    expect((await logIn(credential)).status).toBe(200);
  },
);

test("options ask for the promised parameters, and those of a login reveal nothing of accounts", async () => {
  const { one, beginCreation, beginLogin, add } = stage;
  const user = await one.register();
  const { credential } = await add(user);
  expect((await beginCreation(user)).options).toMatchObject({
    rp: { id: "chat.example.com", name: "Parley" },
    user: { name: user.username, id: Buffer.from(user.user.id.replaceAll("-", ""), "hex").toString("base64url") },
    excludeCredentials: [{ id: credential.id.toString("base64url"), type: "public-key", transports: ["internal"] }],
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestation: "none",
    timeout: 300_000,
  });
  const [first, second] = [await beginLogin(), await beginLogin(user)];
  expect(first.options).toEqual({
    rpId: "chat.example.com",
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: "required",
  });
  expect({ ...second.options, challenge: "" }).toEqual({ ...first.options, challenge: "" });
  expect(second.options.challenge).not.toBe(first.options.challenge);
});

test("passkeys of authenticators that do not count work again and again", async () => {
  const { one, other, add, authenticator, beginLogin } = stage;
  const { credential } = await add(await one.register());
  for (let n = 0; n < 3; n += 1) {
    const response = authenticator.get(await beginLogin(), credential, { counter: 0 });
    expect((await other.post(`${path}/authentication`, { response })).status).toBe(200);
  }
});

test("a passkey stands in for both factors alone, and for the code beside the password", async () => {
  const { one, other, add, logIn, authenticator, beginSecondFactor } = stage;
  const user = await one.register();
  const { credential } = await add(user);
  const [recovery = ""] = await activateCodes(user);
  expect((await logIn(credential)).status).toBe(200);

  const { username, password } = user;
  const login = (body: object) => other.post("/auth/login", { username, password, ...body });
  expect((await login({})).body).toEqual(error("Second factor required"));
  expect((await login({ passkey: null })).body).toEqual(error("Second factor required"));
  const asked = await beginSecondFactor(user);
  expect(asked.options).toMatchObject({
    allowCredentials: [{ id: credential.id.toString("base64url"), type: "public-key", transports: ["internal"] }],
    userVerification: "discouraged",
  });
  // Security keys verify nobody and do not name their owner: the password has named the account.
  const passkey = authenticator.get(asked, credential, { flags: 1, userHandle: null });
  (await login({ passkey })).expect(200, AuthResponse);
  const repeated = await login({ passkey });
  expect([repeated.status, repeated.body]).toEqual([401, error("Invalid or expired passkey answer")]);
  expect((await login({ code: recovery })).status).toBe(200);

  const wrong = await one.post(`${path}/second-factor/options`, { username, password: "wrong" });
  expect([wrong.status, wrong.body]).toEqual([401, error("Invalid username or password")]);
  const stranger = await one.register();
  const none = await one.post(`${path}/second-factor/options`, {
    username: stranger.username,
    password: stranger.password,
  });
  expect([none.status, none.body]).toEqual([400, error("This account has no passkeys")]);
});

test("a passkey is made with the password, and with a code where a second factor is active", async () => {
  const { one, beginCreation } = stage;
  const user = await one.register();
  const begin = (body: object) => user.post(`${path}/registration/options`, body);
  expect((await begin({ password: "wrong" })).body).toEqual(error("Wrong password"));
  expect((await begin({})).body).toEqual(error("password must be 1-128 characters"));
  const [recovery = ""] = await activateCodes(user);
  const missing = await begin({ password: user.password });
  expect([missing.status, missing.body]).toEqual([403, error("Second factor required")]);
  const wrong = await begin({ password: user.password, code: "000" });
  expect([wrong.status, wrong.body]).toEqual([403, error("Invalid second factor code")]);
  await beginCreation(user, recovery);
});

test("an account has at most twenty passkeys, of those made at once, too", async () => {
  const { one, add, beginCreation, authenticator } = stage;
  const user = await one.register();
  for (let n = 0; n < 18; n += 1) await add(user);
  const responses = [];
  for (let n = 0; n < 6; n += 1) responses.push(authenticator.create(await beginCreation(user), createCredential()));
  const answers = await Promise.all(
    responses.map((response, n) =>
      [stage.one, stage.other][n % 2]
        ?.withAuthorization(`Bearer ${user.accessToken}`)
        .post(`${path}/registration`, { name: "One more", response }),
    ),
  );
  expect(answers.map((answer) => answer?.status).toSorted()).toEqual([201, 201, 400, 400, 400, 400]);
  const full = await user.post(`${path}/registration/options`, { password: user.password });
  expect([full.status, full.body]).toEqual([400, error("Limit of 20 passkeys reached")]);
  expect((await user.get(path)).expect(200, Passkeys)).toHaveLength(20);
});

test("a disabled account is refused, and a passkey survives the change of the password and ends with the account", async () => {
  const { one, add, logIn, stack } = stage;
  const user = await one.register();
  const { credential } = await add(user);
  const changed = await user.post("/auth/change-password", {
    current_password: user.password,
    new_password: "another password",
  });
  const { access_token } = changed.expect(200, AuthResponse);
  expect((await logIn(credential)).status).toBe(200);

  const admin = await registerAdmin(one, stack.databaseUrl);
  const disable = (disabled: boolean) => admin.patch(`/admin/users/${user.user.id}`, { disabled });
  expect((await disable(true)).status).toBe(200);
  const refused = await logIn(credential);
  expect([refused.status, refused.body]).toEqual([403, error("Account is disabled")]);
  expect((await disable(false)).status).toBe(200);
  const { access_token: token } = (await logIn(credential)).expect(200, AuthResponse);
  expect(token).not.toBe(access_token);

  const deletion = one.withAuthorization(`Bearer ${token}`).delete("/users/@me", { password: "another password" });
  expect((await deletion).status).toBe(204);
  expect((await logIn(credential)).body).toEqual(error("Invalid or expired passkey answer"));
  const left = "SELECT FROM passkeys WHERE credential_id = $1";
  expect(await runSql(stack.databaseUrl, left, [credential.id])).toEqual([]);
});

test("a login with a passkey makes its address a known one, as one with a password does", async () => {
  const { one, add, logIn, stack } = stage;
  const user = await one.register();
  const { credential } = await add(user);
  await runSql(stack.databaseUrl, "DELETE FROM login_addresses WHERE user_id = $1", [user.user.id]);
  expect((await logIn(credential)).status).toBe(200);
  const known = await runSql(stack.databaseUrl, "SELECT FROM login_addresses WHERE user_id = $1", [user.user.id]);
  expect(known).toHaveLength(1);
});

test("the export of an account lists its passkeys without their keys", async () => {
  const { one, add } = stage;
  const user = await one.register();
  const { passkey, credential } = await add(user);
  const { body } = await user.get("/users/@me/export");
  expect(body).toMatchObject({ passkeys: [passkey] });
  expect(JSON.stringify(body)).not.toContain(credential.id.toString("base64url"));
});

test("passkeys are for people, and those who are logged in", async () => {
  const { one } = stage;
  const bot = await createBotClient(await one.register());
  const id = "019a0000-0000-7000-8000-000000000000";
  for (const [method, at] of [
    ["GET", path],
    ["POST", `${path}/registration/options`],
    ["POST", `${path}/registration`],
    ["PATCH", `${path}/${id}`],
    ["DELETE", `${path}/${id}`],
  ] as const) {
    expect((await one.send(method, at)).status).toBe(401);
    expect((await bot.client.send(method, at)).body).toEqual(error("Bots cannot access account endpoints"));
  }
});

test("a passkey is taken with a statement that it has signed itself", async () => {
  const { one, authenticator, beginCreation, logIn } = stage;
  const user = await one.register();
  const credential = createCredential();
  const response = authenticator.create(await beginCreation(user), credential, { selfAttested: true });
  (await user.post(`${path}/registration`, { name: "Key", response })).expect(201, Passkey);
  expect((await logIn(credential)).status).toBe(200);
});
