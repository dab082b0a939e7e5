import { AuthResponse, errorBody as error } from "@parley/contracts";
import { connectRedis, type RedisConnection } from "@parley/redis";
import {
  createCredential,
  passkeyForgeries,
  type SoftCredential,
  type UserClient,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { activateCodes, createPasskeyStage, path } from "../stages/passkey-stage.js";

// Every forgery is refused in services/api/src/accounts/passkeys/verify.test.ts. Here are those that rows and challenges
// decide, and some of the others, which show that the endpoints ask.

let stage: Awaited<ReturnType<typeof createPasskeyStage>>;
let redis: RedisConnection;
/** Two people, each with a passkey; Ann's second factor is active. */
let ann: UserClient;
let eve: UserClient;
let annsKey: SoftCredential;
let evesKey: SoftCredential;
let recoveryCodes: string[];

beforeAll(async () => {
  stage = await createPasskeyStage();
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  redis = await connectRedis({ url: stage.stack.redis.url, name: "test", logger });
  [ann, eve] = [await stage.one.register(), await stage.one.register()];
  ({ credential: annsKey } = await stage.add(ann));
  ({ credential: evesKey } = await stage.add(eve));
  recoveryCodes = await activateCodes(ann);
});
afterAll(async () => {
  await redis?.close();
});

const invalid = error("Invalid or expired passkey answer");
const unreadable = error("Unreadable passkey answer");

/**
 * Everything that a login or a registration stores for the two people, and how many rows there are for all since them:
 * accounts from before are those of other tests, which may still be on their way out.
 */
const stored = () =>
  runSql(
    stage.stack.databaseUrl,
    `WITH begun AS (SELECT min(created_at) AS at FROM users WHERE id = ANY ($1))
    SELECT
      (SELECT json_agg(r ORDER BY r.id) FROM passkeys r WHERE r.user_id = ANY ($1)) AS passkeys,
      (SELECT json_agg(r ORDER BY r.id) FROM refresh_sessions r WHERE r.user_id = ANY ($1)) AS sessions,
      (SELECT count(*) FROM passkeys, begun WHERE created_at >= at) AS all_passkeys,
      (SELECT count(*) FROM refresh_sessions, begun WHERE created_at >= at) AS all_sessions`,
    [[ann.user.id, eve.user.id]],
  );
/** Forgeries of a table by their names. */
const named = <F>(table: Record<string, F>, names: string[]): [string, F][] =>
  names.map((name) => [name, table[name] ?? expect.fail(`no forgery: ${name}`)]);
let before: unknown;
beforeEach(async () => {
  before = await stored();
});

const authenticate = (response: unknown) => stage.other.post(`${path}/authentication`, { response });
const refuseLogin = async (response: unknown, [status, body]: [number, unknown] = [401, invalid]) => {
  const answer = await authenticate(response);
  expect([answer.status, answer.body]).toEqual([status, body]);
  expect(await stored()).toEqual(before);
};
/** Shows that each refused answer was refused for its own fault. */
const annLogsIn = async () => {
  const { user } = (await stage.logIn(annsKey)).expect(200, AuthResponse);
  expect(user.id).toBe(ann.user.id);
};
const expire = async (challenge: string) => {
  const [key = ""] = await redis.client.keys(`passkey-challenge:*:${challenge}`);
  const lifeMs = await redis.client.pttl(key);
  expect(lifeMs).toBeGreaterThan(200_000);
  expect(lifeMs).toBeLessThanOrEqual(300_000);
  await redis.client.pexpire(key, 1);
  await waitUntil(async () => (await redis.client.exists(key)) === 0);
};

describe("a login with a passkey", () => {
  const { deviations, strangers, changes, malformed } = passkeyForgeries.login;

  test.each([
    ...Object.entries(strangers),
    ...named(deviations, ["the origin of another host", "a frame of another site", "another site", "nobody verified"]),
    ...named(deviations, ["no challenge", "a challenge of nobody", "another key of the store for a challenge"]),
  ])("is refused with %s", async (_name, deviation) => {
    await refuseLogin(stage.authenticator.get(await stage.beginLogin(), annsKey, deviation));
    await annLogsIn();
  });

  test.each(named(changes, ["another bit of the signature"]))("is refused with %s", async (_name, change) => {
    await refuseLogin(change(stage.authenticator.get(await stage.beginLogin(), annsKey), annsKey.privateKey));
    await annLogsIn();
  });

  test.each(named(malformed, ["nothing", "no signature"]))(
    "is refused with %s in place of an answer",
    async (_name, change) => {
      const answer = change(stage.authenticator.get(await stage.beginLogin(), annsKey));
      await refuseLogin(answer, [400, unreadable]);
      await annLogsIn();
    },
  );

  test.each<[string, () => unknown]>([
    ["a key that nobody has registered", () => ({ signer: createCredential().privateKey })],
    ["the key of another account", () => ({ signer: evesKey.privateKey })],
    ["the account of somebody else", () => ({ userHandle: evesKey.userHandle })],
    ["the passkey of somebody else", () => ({ credentialId: evesKey.id })],
    [
      "the passkey and the account of somebody else",
      () => ({ credentialId: evesKey.id, userHandle: evesKey.userHandle }),
    ],
    ["a key of another algorithm", () => ({ signer: createCredential("RS256").privateKey })],
    ["the same count again", () => ({ counter: annsKey.counter })],
    ["a lower count", () => ({ counter: annsKey.counter - 1 })],
    ["no count, of a passkey that has counted", () => ({ counter: 0 })],
  ])("is refused with %s", async (_name, deviate) => {
    await annLogsIn();
    before = await stored();
    const deviation = deviate() as object;
    await refuseLogin(stage.authenticator.get(await stage.beginLogin(), annsKey, deviation));
    await annLogsIn();
  });

  test("is refused with a passkey that nobody has registered, with any user handle", async () => {
    for (const userHandle of [annsKey.userHandle, evesKey.userHandle]) {
      await refuseLogin(stage.authenticator.get(await stage.beginLogin(), createCredential(), { userHandle }));
    }
  });

  test("is refused with a passkey that was removed", async () => {
    const { passkey, credential } = await stage.add(eve);
    expect((await eve.delete(`${path}/${passkey.id}`, { password: eve.password })).status).toBe(204);
    before = await stored();
    await refuseLogin(stage.authenticator.get(await stage.beginLogin(), credential));
  });

  test.each<[string, () => Promise<{ options: { challenge: string } }>]>([
    ["a registration of the account", () => stage.beginCreation(eve)],
    ["a second factor of the account", () => stage.beginSecondFactor(eve)],
    ["a second factor of somebody else", () => stage.beginSecondFactor(ann)],
  ])("is refused with the challenge of %s", async (_name, begin) => {
    await refuseLogin(stage.authenticator.get(await begin(), evesKey));
    expect((await stage.logIn(evesKey)).status).toBe(200);
  });

  test("is refused the second time, and after a wrong answer to the same challenge", async () => {
    const accepted = stage.authenticator.get(await stage.beginLogin(), annsKey);
    expect((await authenticate(accepted)).status).toBe(200);
    before = await stored();
    await refuseLogin(accepted);
    const asked = await stage.beginLogin();
    await refuseLogin(stage.authenticator.get(asked, annsKey, { flags: 0 }));
    await refuseLogin(stage.authenticator.get(asked, annsKey));
    await annLogsIn();
  });

  test("is refused with the answer to another challenge under a new one", async () => {
    const asked = await stage.beginLogin();
    const { response, ...answer } = stage.authenticator.get(await stage.beginLogin(), annsKey);
    const clientData = { type: "webauthn.get", ...asked.options, origin: "https://chat.example.com" };
    const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString("base64url");
    await refuseLogin({ ...answer, response: { ...response, clientDataJSON } });
  });

  test("is refused with the answer to a registration", async () => {
    const { response, ...answer } = stage.authenticator.create(await stage.beginCreation(eve), createCredential());
    const authenticatorData = response.attestationObject;
    await refuseLogin({ ...answer, response: { ...response, authenticatorData, signature: "AAAA" } });
  });

  test("is refused after five minutes", async () => {
    const asked = await stage.beginLogin();
    await expire(asked.options.challenge);
    await refuseLogin(stage.authenticator.get(asked, annsKey));
  });

  test("of one answer at two apis at once, one is accepted, and of two copies of an authenticator one, too", async () => {
    const response = stage.authenticator.get(await stage.beginLogin(), annsKey);
    const send = (answer: unknown) =>
      Promise.all([stage.one, stage.other].map((api) => api.post(`${path}/authentication`, { response: answer })));
    expect((await send(response)).map(({ status }) => status).toSorted()).toEqual([200, 401]);

    const counter = annsKey.counter + 1;
    const asked = [await stage.beginLogin(), await stage.beginLogin()];
    const copies = asked.map((each) => stage.authenticator.get(each, annsKey, { counter }));
    const database = new pg.Client({ connectionString: stage.stack.databaseUrl });
    await database.connect();
    try {
      // Both have compared the count before one of them notes it.
      await database.query("BEGIN");
      await database.query("SELECT FROM passkeys WHERE credential_id = $1 FOR UPDATE", [annsKey.id]);
      const answers = Promise.all(
        copies.map((copy, n) => (n === 0 ? stage.one : stage.other).post(`${path}/authentication`, { response: copy })),
      );
      await waitUntil(async () => (await waitingForLocks(database, { statement: "UPDATE passkeys" })) === 2);
      await database.query("COMMIT");
      expect((await answers).map(({ status }) => status).toSorted()).toEqual([200, 401]);
    } finally {
      await database.end();
    }
  });
});

describe("a passkey in place of the code", () => {
  const logIn = (passkey: unknown, { username, password }: UserClient = ann) =>
    stage.other.post("/auth/login", { username, password, passkey });
  const refuse = async (passkey: unknown, [status, body]: [number, unknown] = [401, invalid]) => {
    const answer = await logIn(passkey);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(await stored()).toEqual(before);
  };
  const accept = async () => {
    const answer = await logIn(stage.authenticator.get(await stage.beginSecondFactor(ann), annsKey));
    expect(answer.status).toBe(200);
  };

  const { deviations } = passkeyForgeries.secondFactor;

  test.each(named(deviations, ["the origin of another host", "nobody present", "a challenge of nobody"]))(
    "is refused with %s",
    async (_name, deviation) => {
      await refuse(stage.authenticator.get(await stage.beginSecondFactor(ann), annsKey, deviation));
      await accept();
    },
  );

  test.each(named(passkeyForgeries.login.malformed, ["a text"]))(
    "is refused with %s in place of an answer",
    async (_name, change) => {
      const answer = change(stage.authenticator.get(await stage.beginSecondFactor(ann), annsKey));
      await refuse(answer, [400, unreadable]);
    },
  );

  test.each<[string, () => Promise<{ options: { challenge: string } }>]>([
    ["a login without a password", () => stage.beginLogin()],
    ["a registration", () => stage.beginCreation(ann, recoveryCodes.pop())],
    ["somebody else", () => stage.beginSecondFactor(eve)],
  ])("is refused with the challenge of %s", async (_name, begin) => {
    await refuse(stage.authenticator.get(await begin(), annsKey));
    await accept();
  });

  test.each<[string, () => Promise<{ options: { challenge: string } }>]>([
    ["the account's challenge", () => stage.beginSecondFactor(ann)],
    ["a challenge of their own", () => stage.beginSecondFactor(eve)],
    ["a challenge of a login", () => stage.beginLogin()],
  ])("is refused with the passkey of somebody else to %s", async (_name, begin) => {
    await refuse(stage.authenticator.get(await begin(), evesKey));
    await refuse(stage.authenticator.get(await begin(), evesKey, { userHandle: annsKey.userHandle }));
    await refuse(stage.authenticator.get(await begin(), evesKey, { userHandle: null }));
    await accept();
  });

  test("is refused the second time, after five minutes, and without its password", async () => {
    const answer = stage.authenticator.get(await stage.beginSecondFactor(ann), annsKey);
    expect((await logIn(answer)).status).toBe(200);
    before = await stored();
    await refuse(answer);
    const asked = await stage.beginSecondFactor(ann);
    await expire(asked.options.challenge);
    await refuse(stage.authenticator.get(asked, annsKey));
    const right = stage.authenticator.get(await stage.beginSecondFactor(ann), annsKey);
    const wrong = await stage.other.post("/auth/login", { username: ann.username, password: "wrong", passkey: right });
    expect([wrong.status, wrong.body]).toEqual([401, error("Invalid username or password")]);
    expect((await logIn(right)).status).toBe(200);
  });
});

describe("the registration of a passkey", () => {
  const register = (response: unknown, user = eve) =>
    stage.other.withAuthorization(`Bearer ${user.accessToken}`).post(`${path}/registration`, { name: "New", response });
  const refuse = async (response: unknown, [status, body]: [number, unknown] = [400, invalid], user = eve) => {
    const answer = await register(response, user);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(await stored()).toEqual(before);
  };
  const { deviations, changes, malformed } = passkeyForgeries.registration;

  test.each(
    named(deviations, ["the origin of another host", "a challenge of nobody", "no key", "an unknown statement"]),
  )("is refused with %s", async (_name, deviation) => {
    await refuse(stage.authenticator.create(await stage.beginCreation(eve), createCredential(), deviation));
  });

  test.each([
    ...named(changes, ["another raw id"]).map(([name, change]) => [name, change, invalid] as const),
    ...named(malformed, ["no statement"]).map(([name, change]) => [name, change, unreadable] as const),
  ])("is refused with %s in its answer", async (_name, change, body) => {
    const answer = change(stage.authenticator.create(await stage.beginCreation(eve), createCredential()));
    await refuse(answer, [400, body]);
  });

  test.each<[string, () => Promise<{ options: { challenge: string } }>]>([
    ["a login", () => stage.beginLogin()],
    ["a second factor", () => stage.beginSecondFactor(eve)],
    ["somebody else", () => stage.beginCreation(ann, recoveryCodes.pop())],
  ])("is refused with the challenge of %s", async (_name, begin) => {
    const { challenge } = (await begin()).options;
    const user = { id: evesKey.userHandle };
    await refuse(stage.authenticator.create({ options: { challenge, user } }, createCredential()));
  });

  test("is refused the second time, after five minutes, and with the answer to a login", async () => {
    const answer = stage.authenticator.create(await stage.beginCreation(eve), createCredential());
    expect((await register(answer)).status).toBe(201);
    before = await stored();
    await refuse(answer);
    const asked = await stage.beginCreation(eve);
    await expire(asked.options.challenge);
    await refuse(stage.authenticator.create(asked, createCredential()));
    const login = stage.authenticator.get(await stage.beginCreation(eve), evesKey);
    await refuse({ ...login, response: { ...login.response, attestationObject: login.response.authenticatorData } });
  });

  test("is refused for a passkey that is registered, the account's own or another's, also at two apis at once", async () => {
    const taken = error("This passkey is already registered");
    await refuse(stage.authenticator.create(await stage.beginCreation(eve), evesKey), [409, taken]);
    const thief = { ...createCredential(), id: annsKey.id };
    await refuse(stage.authenticator.create(await stage.beginCreation(eve), thief), [409, taken]);
    await annLogsIn();

    const fresh = createCredential();
    const answers = [
      stage.authenticator.create(await stage.beginCreation(eve), fresh),
      stage.authenticator.create(await stage.beginCreation(eve), fresh),
    ];
    const statuses = await Promise.all(answers.map(async (answer) => (await register(answer)).status));
    expect(statuses.toSorted()).toEqual([201, 409]);
  });
});
