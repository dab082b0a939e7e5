import { AuthResponse, errorBody as error } from "@parley/contracts";
import { connectRedis } from "@parley/redis";
import {
  createClient,
  type MortalStack,
  type RestClient,
  readMail,
  type UserClient,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib/types";
import { afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, readAdminLog, runSql } from "../stages/admin-stage.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(mortal.stack));
});
afterEach(async () => {
  await runSql(stack.databaseUrl, "UPDATE instance_settings SET chosen = '{}'");
});

let names = 0;
const password = "12345678";
const newcomer = (fields: object = {}) => ({ username: `candidate_${process.pid}_${names++}`, password, ...fields });
const register = (fields: object = {}, by = client) => by.post("/auth/register", newcomer(fields));
const set = async (registration: object) => {
  expect((await admin.patch("/admin/settings", { registration })).status).toBe(200);
};
const refusal = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  return [status, body];
};
const login = (username: string) => client.post("/auth/login", { username, password });

/** The installation counts from here on as if no account had registered. */
async function forgetRegistrations(): Promise<void> {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const redis = await connectRedis({ url: stack.redis.url, name: "test", logger });
  await redis.client.del(await redis.client.keys("registrations*"));
  await redis.close();
}

/** The answer to a challenge, as the text that requests carry. */
async function solved(by = client): Promise<string> {
  const asked = (await by.get("/auth/challenge")).body as Challenge;
  const { challenge, salt, algorithm, maxnumber, signature } = asked;
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
  if (solution === null) throw new Error("The challenge has no solution");
  return Buffer.from(JSON.stringify({ algorithm, challenge, salt, signature, number: solution.number })).toString(
    "base64",
  );
}

test("the settings of registration are merged, shown where they differ, and told to everybody", async () => {
  await set({ email_domains: ["Example.COM", "münchen.example"], approval: true });
  await set({ challenge: "auto", approval: null });
  const shown = (await admin.get("/admin/settings")).body as { registration: unknown };
  const email_domains = ["example.com", "xn--mnchen-3ya.example"];
  expect(shown.registration).toEqual({ email_domains, approval: true, challenge: "auto" });
  const { registration } = (await client.get("/instance")).body as { registration: unknown };
  expect(registration).toEqual({ mode: "open", email: "optional", email_domains, approval: true, challenge: true });
  await set({ email_domains: [], approval: false, challenge: "off" });
  expect(Object.keys((await admin.get("/admin/settings")).body as object)).not.toContain("registration");
  const [entry] = await readAdminLog(admin, "?limit=1");
  expect(entry?.details).toEqual({
    ...{ registration_email_domains: null, registration_approval: false, registration_challenge: "off" },
  });
});

test.each([
  [[], "registration must be an object"],
  [{ email: "no" }, "registration.email must be optional or required"],
  [{ email_domains: ["nodots"] }, "registration.email_domains must be null or a list of at most 100 domains"],
  [{ blocked_domains: "x.example" }, "registration.blocked_domains must be a list of at most 10000 domains"],
  [{ approval: "yes" }, "registration.approval must be a boolean"],
  [{ challenge: "often" }, "registration.challenge must be off, on or auto"],
])("the settings of registration refuse %j", async (registration, text) => {
  expect(await refusal(admin.patch("/admin/settings", { registration }))).toEqual([400, error(text)]);
});

test("only addresses of the domains that are allowed, and none of those that are blocked, register", async () => {
  await set({ email_domains: ["example.com"], blocked_domains: ["bad.example.com"] });
  const refused = [400, error("Addresses of this domain cannot register")];
  expect(await refusal(register())).toEqual([400, error("Email address required")]);
  for (const email of ["a@example.org", "a@notexample.com", "a@bad.example.com", "a@very.BAD.example.com"])
    expect([email, ...(await refusal(register({ email })))]).toEqual([email, ...refused]);
  for (const host of ["example.com", "sub.EXAMPLE.com"])
    expect((await register({ email: `person_${names}@${host}` })).status).toBe(201);
});

test("with a challenge nobody registers without work, and each answer counts once over all apis", async () => {
  await set({ challenge: "on" });
  const unsolved = [400, error("Solve the challenge first")];
  const [one, other] = stack.apis.map(({ url }) => createClient(url));
  if (one === undefined || other === undefined) throw new Error("Two apis are needed");
  const altcha = await solved(one);
  const { signature: _, ...unsigned } = JSON.parse(Buffer.from(altcha, "base64").toString());
  const forged = Buffer.from(JSON.stringify({ ...unsigned, signature: "0".repeat(64) })).toString("base64");
  for (const wrong of [undefined, "", 5, "e30=", "not base64", forged])
    expect(await refusal(register({ altcha: wrong }, one))).toEqual(unsolved);
  expect((await register({ altcha }, other)).status).toBe(201);
  for (const api of [one, other]) expect(await refusal(register({ altcha }, api))).toEqual(unsolved);
  const reset = { email: "nobody@example.com" };
  expect(await refusal(client.post("/auth/request-password-reset", reset))).toEqual(unsolved);
  expect((await client.post("/auth/request-password-reset", { ...reset, altcha: await solved() })).status).toBe(202);
  // What the request ends in does not matter.
  const used = await solved();
  const { username } = admin.user;
  expect((await register({ username, altcha: used })).status).toBe(409);
  expect(await refusal(register({ altcha: used }))).toEqual(unsolved);
});

test("automatically asked, a network proves work from its fourth registration on, and others need not", async () => {
  await set({ challenge: "auto" });
  await forgetRegistrations();
  const from = (address: string) => (fields: object) =>
    createClient(stack.apis[0]?.url ?? "").send("POST", "/auth/register", {
      body: newcomer(fields),
      headers: { "x-forwarded-for": address },
    });
  const network = `203.0.${Math.floor(Math.random() * 250)}`;
  for (const host of [1, 2, 3]) expect((await from(`${network}.${host}`)({})).status).toBe(201);
  expect(await refusal(from(`${network}.4`)({}))).toEqual([400, error("Solve the challenge first")]);
  expect((await from(`${network}.4`)({ altcha: await solved() })).status).toBe(201);
  expect((await from("2001:db8:1::1")({})).status).toBe(201);
});

test("as many prove no work as may when they register at once over both apis, and a name that is taken takes no place", async () => {
  await set({ challenge: "auto" });
  await forgetRegistrations();
  const network = `198.51.${Math.floor(Math.random() * 250)}`;
  const from = (n: number, body = newcomer()) =>
    createClient(stack.apis[n % 2]?.url ?? "").send("POST", "/auth/register", {
      body,
      headers: { "x-forwarded-for": `${network}.${n}` },
    });
  for (const n of [1, 2, 3]) expect((await from(n, newcomer({ username: admin.user.username }))).status).toBe(409);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => from(n)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body)).toEqual(Array(9).fill(error("Solve the challenge first")));
});

test("where addresses are required an account logs in once the link of its mail confirmed it", async () => {
  expect((await admin.patch("/admin/settings", { name: "Chess & Friends" })).status).toBe(200);
  await set({ email: "required" });
  expect(await refusal(register())).toEqual([400, error("Email address required")]);
  const email = `owner_${names}@example.com`;
  const fields = newcomer({ email });
  const answer = await client.post("/auth/register", fields);
  expect([answer.status, answer.body]).toEqual([202, { pending: true, username: fields.username }]);
  expect(await refusal(login(fields.username))).toEqual([403, error("Confirm your email address first")]);
  expect((await client.post("/auth/login", { username: fields.username, password: "wrong" })).status).toBe(401);
  const text = await waitUntil(() => {
    const mail = stack.mails.find(({ to }) => to.includes(email));
    return mail && readMail(mail.source).text;
  });
  expect(text).toMatch(/\n-- \nChess & Friends\s*$/);
  const path = /https?:\/\/[^/\s]+(\/mail\/confirm\/[0-9a-f]{64})/.exec(text)?.[1] ?? "";
  // Programs that check mails open their links.
  const asBrowser = () => client.send("GET", path, { headers: { accept: "text/html" } });
  for (const _ of [1, 2]) expect((await asBrowser()).status).toBe(200);
  expect(await refusal(login(fields.username))).toEqual([403, error("Confirm your email address first")]);
  expect((await client.get(path)).status).toBe(200);
  (await login(fields.username)).expect(200, AuthResponse);
  for (const again of [asBrowser(), client.get(path), client.post(path)]) expect((await again).status).toBe(404);
});

test("registrations wait for an administrator, who approves or declines each of them once", async () => {
  await set({ approval: true });
  const Page = z.object({
    registrations: z.array(z.looseObject({ user_id: z.string(), username: z.string() })),
    total: z.int(),
  });
  const list = async (query = "") => (await admin.get(`/admin/registrations${query}`)).expect(200, Page);
  const [first, second] = [
    newcomer({ application: "I play chess" }),
    newcomer({ email: `second_${names}@example.com` }),
  ];
  for (const fields of [first, second]) {
    const answer = await client.post("/auth/register", fields);
    expect([answer.status, answer.body]).toEqual([202, { pending: true, username: fields.username }]);
    expect(await refusal(login(fields.username))).toEqual([403, error("Your registration is waiting for approval")]);
  }
  const { registrations, total } = await list();
  expect(total).toBe(2);
  const [newest, oldest] = registrations;
  expect(oldest).toMatchObject({ username: first.username, email: null, application: "I play chess" });
  expect(newest).toMatchObject({
    username: second.username,
    application: null,
    network: expect.stringMatching(/0\/24$/),
  });
  expect((await list(`?before=${newest?.user_id}&limit=1`)).registrations).toEqual([oldest]);
  // Those waiting still wait when new ones need not.
  await set({ approval: false });
  expect((await admin.post(`/admin/registrations/${oldest?.user_id}/approve`)).status).toBe(204);
  (await login(first.username)).expect(200, AuthResponse);
  expect((await admin.post(`/admin/registrations/${newest?.user_id}/decline`, { reason: "spam" })).status).toBe(204);
  expect(await refusal(login(second.username))).toEqual([403, error("Your registration was declined")]);
  for (const decision of ["approve", "decline"])
    for (const { user_id } of registrations)
      expect(await refusal(admin.post(`/admin/registrations/${user_id}/${decision}`, {}))).toEqual([
        404,
        error("Registration not found"),
      ]);
  expect(await list()).toEqual({ registrations: [], total: 0 });
  expect((await list("?state=declined")).registrations).toEqual([newest]);
  expect((await readAdminLog(admin, "?limit=2")).map(({ action }) => action)).toEqual([
    "registration_decline",
    "registration_approve",
  ]);
  const declined = () => stack.mails.find(({ source }) => source.includes("registration was declined"))?.source;
  await expect.poll(declined).toContain("spam");
  expect(await refusal(admin.get("/admin/registrations?state=x"))).toEqual([
    400,
    error("state must be pending or declined"),
  ]);
});
