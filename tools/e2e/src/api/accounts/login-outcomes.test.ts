import { createClient, type RestClient, startStack, type TestStack, type UserClient, waitUntil } from "@parley/testing";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { sampleOf } from "../../metric-samples.js";
import { runSql } from "../stages/admin-stage.js";

// How logins end, in the metrics and the log of the api. The limits of addresses are those of an installation.

let stack: TestStack;
let client: RestClient;
let api: { url: string };

beforeAll(async () => {
  // Its own: the limit of logins is reached, and its metrics count every login.
  stack = await startStack({ gateways: 0, env: { RATE_LIMIT_AUTH_RPS: "1", RATE_LIMIT_AUTH_BURST: "60" } });
  const [first] = stack.apis;
  if (first === undefined) throw new Error("no api");
  api = first;
  client = createClient(api.url);
});
afterAll(() => stack?.stop());

const login = (username: string, password: string, code?: string) =>
  client.post("/auth/login", { username, password, ...(code === undefined ? {} : { code }) });
const attempts = async (outcome: string) => (await sampleOf(api, `auth_attempts_total{outcome="${outcome}"}`)) ?? 0;
const limited = async (limit: string) => (await sampleOf(api, `limited_total{limit="${limit}"}`)) ?? 0;

const Line = z.object({ request_id: z.string(), user_id: z.string().nullable(), outcome: z.string() });
/** The line of a request in the log. */
const lineOf = (requestId: string | null) =>
  waitUntil(() => {
    const line = stack.output().find((text) => text.includes(`"${requestId}"`) && text.includes('"msg":"login"'));
    return line === undefined ? undefined : Line.parse(JSON.parse(line.slice(line.indexOf("{"))));
  });

/** A login that ends so, once more in the metrics, and with a line that names the account. */
async function expectOutcome(outcome: string, user: UserClient | null, attempt: () => ReturnType<typeof login>) {
  const before = await attempts(outcome);
  const answer = await attempt();
  expect(await attempts(outcome)).toBe(before + 1);
  const line = await lineOf(answer.headers.get("x-request-id"));
  expect(line).toMatchObject({ outcome, user_id: user?.user.id ?? null });
  return answer;
}

test("a login is counted by its outcome, with a line that names the account and never the typed text", async () => {
  const user = await client.register();
  await expectOutcome("ok", user, () => login(user.username, user.password));
  await expectOutcome("wrong_password", user, () => login(user.username, "typed-into-the-password"));
  await expectOutcome("unknown_account", null, () => login("typed_into_the_name", "typed-into-the-password"));
  const { secret } = (await user.post("/auth/second-factor", { password: user.password })).expect(
    201,
    z.object({ secret: z.string() }),
  );
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await user.post("/auth/second-factor/confirm", { code });
  await expectOutcome("second_factor_missing", user, () => login(user.username, user.password));
  await expectOutcome("second_factor_wrong", user, () => login(user.username, user.password, code));
  const disabled = await client.register();
  await runSql(stack.databaseUrl, "UPDATE users SET disabled_at = now() WHERE id = $1", [disabled.user.id]);
  await expectOutcome("disabled", disabled, () => login(disabled.username, disabled.password));
  const output = stack.output().join("\n");
  for (const typed of ["typed-into-the-password", "typed_into_the_name", user.password]) {
    expect(output).not.toContain(typed);
  }
});

test("a refusal is counted by the kind of its limit", async () => {
  const user = await client.register();
  // Registering is no login, so the address is not known to the account.
  for (let count = 0; count < 10; count += 1) await login(user.username, "wrong-password");
  const answer = await expectOutcome("limited_login_address", user, () => login(user.username, user.password));
  expect(answer.status).toBe(429);
  expect(await limited("login_address")).toBe(1);
  const answers = await Promise.all(Array.from({ length: 100 }, () => login(user.username, user.password)));
  const refused = await waitUntil(() => stack.output().find((line) => line.includes('"limit":"auth_address"')));
  expect(answers.some(({ headers }) => refused.includes(`"${headers.get("x-request-id")}"`))).toBe(true);
  expect(await limited("auth_address")).toBeGreaterThanOrEqual(1);
});
