import { errorBody as error } from "@parley/contracts";
import {
  type Answer,
  createAuthenticator,
  createClient,
  createCredential,
  createServer,
  type DescribedOperation,
  type EquippedStack,
  joinServer,
  loadAnswerCheck,
  publicUrl,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";

let stack: EquippedStack;
let operations: readonly DescribedOperation[];

beforeAll(async () => {
  stack = await sharedStack();
  ({ operations } = await loadAnswerCheck(stack.edgeUrl));
});
/** An account with the credentials that the endpoints ask for. */
interface Account {
  user: UserClient;
  passkey_id: string;
  /** A code that is right, once. */
  code: string;
  /** A server of theirs, and somebody else in it; empty where an account must own none. */
  server_id: string;
  user_id: string;
}

/** Its second factor is begun, or also active. */
async function makeAccount(options: { isActive: boolean; ownsServer?: boolean }): Promise<Account> {
  const { isActive, ownsServer = false } = options;
  const user = await createClient(stack.edgeUrl).register();
  const passkey_id = await addPasskey(user);
  const begun = await user.post("/auth/second-factor", { password: user.password });
  const { secret } = begun.expect(201, z.object({ secret: z.string() }));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const ids = ownsServer ? await openServer(user) : { server_id: "", user_id: "" };
  if (!isActive) return { user, passkey_id, code, ...ids };
  const confirmed = await user.post("/auth/second-factor/confirm", { code });
  const [recovery = ""] = confirmed.expect(200, z.object({ recovery_codes: z.array(z.string()) })).recovery_codes;
  return { user, passkey_id, code: recovery, ...ids };
}

async function addPasskey(user: UserClient): Promise<string> {
  const begun = await user.post("/auth/passkeys/registration/options", { password: user.password });
  const asked = begun.expect(
    200,
    z.object({ options: z.object({ challenge: z.string(), user: z.object({ id: z.string() }) }) }),
  );
  const response = createAuthenticator(publicUrl).create(asked, createCredential());
  const added = await user.post("/auth/passkeys/registration", { name: "Phone", response });
  return added.expect(201, z.object({ id: z.string() })).id;
}

async function connectWithProvider({ user: { id } }: UserClient): Promise<void> {
  const statement = "INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ($1, $2, $3)";
  await runSql(stack.databaseUrl, statement, [`http://127.0.0.1:${stack.signIn.port}`, id, id]);
}

async function openServer(owner: UserClient) {
  const server = await createServer(owner, { is_public: true });
  const member = await createClient(stack.edgeUrl).register();
  await joinServer(member, server.id);
  return { server_id: server.id, user_id: member.user.id };
}

/** A right value for every field that an endpoint with a counted secret has. */
const rightValues = ({ user, passkey_id, code, server_id, user_id }: Account): Record<string, string> => ({
  username: user.username,
  password: user.password,
  current_password: user.password,
  new_password: "another password",
  email: `new_${user.username}@example.com`,
  code,
  server_id,
  user_id,
  passkey_id,
});

const pathWith = (path: string, { server_id, passkey_id }: Record<string, string>) =>
  path.replace("/servers/{id}", `/servers/${server_id}`).replace("/passkeys/{id}", `/passkeys/${passkey_id}`);

/** Sends an attempt from an address, through one api after the other. */
let sent = 0;
function attempt(
  { method, path }: DescribedOperation,
  user: UserClient,
  body: Record<string, string>,
  address: string,
): Promise<Answer> {
  const api = stack.apis[sent++ % stack.apis.length];
  const headers = { "x-forwarded-for": address };
  const client = createClient(api?.url ?? "", { authorization: `Bearer ${user.accessToken}` });
  return client.send(method, pathWith(path, body), { body, headers });
}

/** Without codes of imported people, which count by account and are not found: imports.test tries them. */
const counted = () =>
  operations
    .filter(({ path }) => path !== "/users/@me/claims")
    .flatMap((operation) =>
      Object.entries(operation["x-attempts"] ?? {})
        .filter(([, guesses]) => guesses === "counted")
        .map(([field]) => ({ operation, field })),
    );

test("eleven wrong passwords or codes from one address are one too many at every endpoint that takes them", async () => {
  const tried = [];
  for (const { operation, field } of counted()) {
    const asksForCode = operation["x-attempts"]?.code !== undefined;
    const account = await makeAccount({
      isActive: asksForCode && !operation.path.endsWith("/confirm"),
      ownsServer: operation.path.startsWith("/servers/"),
    });
    const { user } = account;
    if (operation.path === "/auth/oidc/link") await connectWithProvider(user);
    const right = rightValues(account);
    const wrong = { ...right, [field]: field === "code" ? "not a code" : "not the password" };
    const statuses = new Set<number>();
    for (let n = 0; n < 10; n += 1) statuses.add((await attempt(operation, user, wrong, "203.0.113.1")).status);
    const what = `${operation.method} ${operation.path} ${field}`;
    expect([what, [...statuses]]).toEqual([what, [expect.toBeOneOf([400, 401, 403])]]);
    const refused = await attempt(operation, user, right, "203.0.113.1");
    expect([what, refused.status, refused.body]).toEqual([what, 429, error("Too many requests")]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // The owner, elsewhere.
    const passed = await attempt(operation, user, right, "198.51.100.1");
    const isAtProvider = /^post \/auth\/oidc\/link/i.test(what);
    expect([what, passed.status]).toEqual([what, expect.toBeOneOf(isAtProvider ? [200, 503] : [200, 201, 202, 204])]);
    tried.push(what);
  }
  expect(tried).toHaveLength(18);
});

test("wrong codes count together wherever they are sent, and a right one does not", async () => {
  const account = await makeAccount({ isActive: true });
  const { user } = account;
  const at = (method: string, path: string) => {
    const operation = operations.find((candidate) => candidate.method === method && candidate.path === path);
    if (operation === undefined) throw new Error(`${method} ${path} is not described`);
    return (code: string) => attempt(operation, user, { ...rightValues(account), code }, "203.0.113.2");
  };
  const [logIn, remove] = [at("POST", "/auth/login"), at("DELETE", "/auth/second-factor")];
  for (let n = 0; n < 9; n += 1) {
    expect((await (n % 2 === 0 ? remove : logIn)("not a code")).status).toBe(n % 2 === 0 ? 403 : 401);
  }
  expect((await logIn(account.code)).status).toBe(200);
  expect((await remove("not a code")).status).toBe(403);
  expect([(await logIn("not a code")).status, (await remove("not a code")).status]).toEqual([429, 429]);
});
