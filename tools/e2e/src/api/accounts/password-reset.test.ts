import { randomUUID } from "node:crypto";
import { AuthResponse, errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readAdminLog, registerAdmin, runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  admin = await registerAdmin(client, stack.databaseUrl);
});

const Issued = z.strictObject({
  message: z.string(),
  token: z.string().min(43),
  expires_in_seconds: z.literal(3600),
  note: z.string(),
});
const registerWithEmail = async () => {
  const email = `${randomUUID()}@example.com`;
  return { email, user: await client.register({ email }) };
};
const issue = async (email: string) => (await admin.post("/auth/forgot-password", { email })).expect(200, Issued).token;
const reset = (token: unknown, new_password: unknown = "a new password") =>
  client.post("/auth/reset-password", { token, new_password });
const login = ({ username }: UserClient, password: string) => client.post("/auth/login", { username, password });

test("a token sets the password and ends all sessions, at every api and gateway", async () => {
  const { email, user } = await registerWithEmail();
  const sockets = stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  await Promise.all(sockets.map(({ ready }) => ready));
  const token = await issue(email);
  const answer = (await reset(token)).expect(200, z.strictObject({ message: z.string() }));
  expect(answer.message).not.toBe("");
  for (const { url } of stack.apis) {
    expect((await createClient(url).withAuthorization(`Bearer ${user.accessToken}`).get("/users/@me")).status).toBe(
      401,
    );
  }
  for (const { closed } of sockets) expect((await closed).code).toBe(1000);
  expect((await client.post("/auth/refresh", { refresh_token: user.refreshToken })).status).toBe(401);
  expect((await login(user, user.password)).status).toBe(401);
  (await login(user, "a new password")).expect(200, AuthResponse);
  const [entry] = await readAdminLog(admin);
  expect(entry).toMatchObject({ action: "password_reset", target_type: "user", target_id: user.user.id });
  expect(JSON.stringify(entry)).not.toContain(token);
});

test("a token is used once, also by two at once, and ends with the others of its account", async () => {
  const { email, user } = await registerWithEmail();
  const [token, other] = [await issue(email), await issue(email)];
  const answers = await Promise.all([reset(token, "password one"), reset(token, "password two")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  for (const used of [token, other]) {
    const again = await reset(used);
    expect([again.status, again.body]).toEqual([401, error("Invalid or expired reset token")]);
  }
  const set = answers[0]?.status === 200 ? "password one" : "password two";
  expect((await login(user, set)).status).toBe(200);
});

test.each([
  [
    "its account's password is changed by its owner",
    ({ post, password }: UserClient) =>
      post("/auth/change-password", { current_password: password, new_password: "chosen by the owner" }),
  ],
  [
    "its account is disabled, enabled again or not",
    async ({ user }: UserClient) => {
      (await admin.patch(`/admin/users/${user.id}`, { disabled: true })).expect(200, z.object({}));
      return admin.patch(`/admin/users/${user.id}`, { disabled: false });
    },
  ],
])("a token ends when %s", async (_when, change) => {
  const { email, user } = await registerWithEmail();
  const [token, later] = [await issue(email), async () => reset(await issue(email))];
  expect((await change(user)).status).toBe(200);
  const answer = await reset(token);
  expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired reset token")]);
  expect((await later()).status).toBe(200);
});

test("a refused password leaves the token usable", async () => {
  const { email } = await registerWithEmail();
  const token = await issue(email);
  for (const wrong of ["1234567", "x".repeat(129), 5, null]) {
    const answer = await reset(token, wrong);
    expect([answer.status, answer.body]).toEqual([400, error("Password must be 8-128 characters")]);
  }
  expect((await reset(token)).status).toBe(200);
});

test("expired and wrong tokens are refused", async () => {
  const { email, user } = await registerWithEmail();
  const token = await issue(email);
  await runSql(stack.databaseUrl, "UPDATE password_resets SET expires_at = now() WHERE user_id = $1", [user.user.id]);
  for (const wrong of [token, "x", "0".repeat(64)]) {
    const answer = await reset(wrong);
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired reset token")]);
  }
  expect((await reset("")).body).toEqual(error("token must be 1-2048 characters"));
});

test("tokens are made by administrators, for addresses that have an account", async () => {
  const { email, user } = await registerWithEmail();
  expect((await user.post("/auth/forgot-password", { email })).body).toEqual(error("Admin access required"));
  expect((await client.post("/auth/forgot-password", { email })).status).toBe(401);
  expect(await issue(email.replace("example.com", "EXAMPLE.com"))).not.toBe("");
  const unknown = await admin.post("/auth/forgot-password", { email: "nobody@example.com" });
  expect([unknown.status, unknown.body]).toEqual([404, error("User not found")]);
  expect((await admin.post("/auth/forgot-password", { email: "nobody" })).body).toEqual(error("Invalid email address"));
});
