import { randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccessTokens } from "./access-tokens.js";
import { createAccounts } from "./accounts.js";
import type { Credential } from "./authorization.js";
import { createReadClaim } from "./identity.js";
import { generateToken, hashToken } from "./opaque-tokens.js";

const logger = { info: () => {}, warn: () => {}, error: () => {} };
const accessTokens = createAccessTokens({ secret: "a-secret-of-at-least-32-characters!" });
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "auth-test", logger });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const createUser = async () => (await database.prisma.user.create({ data: { username: randomUUID() } })).id;
const deleteUser = (id: string) => database.prisma.user.delete({ where: { id } });
async function createBot() {
  const token = generateToken();
  const userId = await createUser();
  const bot = await database.prisma.bot.create({
    data: { user_id: userId, name: "Bot", token_hash: hashToken(token) },
  });
  return { token, userId, botId: bot.id };
}
const revoke = (id: string) => database.prisma.bot.update({ where: { id }, data: { revoked_at: new Date() } });
function resolver(over: Pick<Database, "query"> = database) {
  const readClaim = createReadClaim({ accessTokens, accounts: createAccounts({ database: over }) });
  return { resolve: async (credential: Credential | null) => (await readClaim(credential)?.confirm()) ?? null };
}

describe("the identity of a user", () => {
  test("the identity of a user comes from a valid access token", async () => {
    const userId = await createUser();
    const identity = await resolver().resolve({ scheme: "bearer", credential: accessTokens.issue({ userId }) });
    expect(identity).toEqual({
      kind: "user",
      userId,
      sessionId: null,
      sessionVersion: 0,
      isAdmin: false,
      missingFactor: null,
      viaStaticToken: false,
    });
  });

  test("the identity of a user ends with the account", async () => {
    const userId = await createUser();
    const { resolve } = resolver();
    const credential = { scheme: "bearer", credential: accessTokens.issue({ userId }) } as const;
    expect(await resolve(credential)).not.toBeNull();
    await deleteUser(userId);
    expect(await resolve(credential)).toBeNull();
  });

  test("the identity of a user ends at once with its session, with all sessions of the account, and while the account is disabled", async () => {
    const userId = await createUser();
    const { resolve } = resolver();
    const session = { id: randomUUID(), version: 0 };
    const resolveAs = (version: number) =>
      resolve({ scheme: "bearer", credential: accessTokens.issue({ userId, session: { ...session, version } }) });
    expect(await resolveAs(0)).toMatchObject({ userId, sessionId: session.id });
    await database.prisma.user.update({ where: { id: userId }, data: { session_version: 1 } });
    expect([await resolveAs(0), await resolveAs(1)]).toEqual([null, expect.objectContaining({ userId })]);
    await database.prisma.user.update({ where: { id: userId }, data: { disabled_at: new Date() } });
    expect(await resolveAs(1)).toBeNull();
    await database.prisma.user.update({ where: { id: userId }, data: { disabled_at: null } });
    expect(await resolveAs(1)).not.toBeNull();
    await database.prisma.endedSession.create({ data: { id: session.id } });
    expect(await resolveAs(1)).toBeNull();
  });

  test("the identity of a user is an administrator's by the account or by the setting, at once", async () => {
    const userId = await createUser();
    const { resolve } = resolver();
    const credential = { scheme: "bearer", credential: accessTokens.issue({ userId }) } as const;
    for (const data of [{ is_admin: true }, { is_admin: false, admin_by_setting: true }]) {
      await database.prisma.user.update({ where: { id: userId }, data });
      expect(await resolve(credential)).toMatchObject({ isAdmin: true });
    }
  });

  test("the identity of a user is found for each of many who ask at the same time", async () => {
    const { resolve } = resolver();
    const users = await Promise.all(Array.from({ length: 20 }, createUser));
    const asked = users.flatMap((userId) => [userId, randomUUID()]);
    const identities = await Promise.all(
      asked.map((userId) => resolve({ scheme: "bearer", credential: accessTokens.issue({ userId }) })),
    );
    expect(identities.map((identity) => identity?.userId)).toEqual(users.flatMap((userId) => [userId, undefined]));
  });
});

describe("the identity of a bot", () => {
  test("the identity of a bot comes from its static token", async () => {
    const { token, userId, botId } = await createBot();
    const identity = await resolver().resolve({ scheme: "bot", credential: token });
    expect(identity).toEqual({ kind: "bot", userId, botId, sessionVersion: 0, viaStaticToken: true });
  });

  test("the identity of a bot comes from its JWT", async () => {
    const { userId, botId } = await createBot();
    const credential = accessTokens.issue({ userId, bot: true });
    const identity = await resolver().resolve({ scheme: "bearer", credential });
    expect(identity).toEqual({ kind: "bot", userId, botId, sessionVersion: 0, viaStaticToken: false });
  });

  test("the identity of a bot ends at once with its revocation and while its account is disabled, for the token and the JWT", async () => {
    const { token, userId, botId } = await createBot();
    const { resolve } = resolver();
    const byToken = { scheme: "bot", credential: token } as const;
    const byJwt = { scheme: "bearer", credential: accessTokens.issue({ userId, bot: true }) } as const;
    expect(await resolve(byToken)).not.toBeNull();
    expect(await resolve(byJwt)).not.toBeNull();
    await database.prisma.user.update({ where: { id: userId }, data: { disabled_at: new Date() } });
    expect([await resolve(byToken), await resolve(byJwt)]).toEqual([null, null]);
    await database.prisma.user.update({ where: { id: userId }, data: { disabled_at: null } });
    expect(await resolve(byToken)).not.toBeNull();
    await revoke(botId);
    expect(await resolve(byToken)).toBeNull();
    expect(await resolve(byJwt)).toBeNull();
  });

  test("the identity of a bot ends with a new version of its sessions for the JWTs of earlier ones", async () => {
    const { token, userId } = await createBot();
    const { resolve } = resolver();
    const asJwt = (claims: Partial<Parameters<typeof accessTokens.issue>[0]>) =>
      resolve({ scheme: "bearer", credential: accessTokens.issue({ userId, bot: true, ...claims }) });
    const ofVersion = (version: number) => asJwt({ session: { id: null, version } });
    expect([await asJwt({}), await ofVersion(0), await ofVersion(1)]).toEqual([
      expect.objectContaining({ sessionVersion: 0 }),
      expect.objectContaining({ sessionVersion: 0 }),
      null,
    ]);
    await database.prisma.user.update({ where: { id: userId }, data: { session_version: 1 } });
    expect([await asJwt({}), await ofVersion(0), await ofVersion(1)]).toEqual([
      null,
      null,
      expect.objectContaining({ sessionVersion: 1 }),
    ]);
    expect(await resolve({ scheme: "bot", credential: token })).toMatchObject({ sessionVersion: 1 });
  });

  test("the identity of a bot is not given to a user's token that claims to be a bot's account", async () => {
    const credential = accessTokens.issue({ userId: await createUser(), bot: true });
    expect(await resolver().resolve({ scheme: "bearer", credential })).toBeNull();
  });
});

describe("a credential that cannot be resolved", () => {
  test.each([
    ["no credential", null],
    ["a bot token as bearer", { scheme: "bearer", credential: "0".repeat(64) }],
    ["an unknown bot token", { scheme: "bot", credential: "0".repeat(64) }],
    ["an upper-case bot token", { scheme: "bot", credential: "A".repeat(64) }],
    ["a JWT as bot token", { scheme: "bot", credential: accessTokens.issue({ userId: randomUUID() }) }],
    ["a NUL", { scheme: "bot", credential: "\u0000" }],
  ] as const)("a credential gives no identity: %s", async (_text, credential) => {
    expect(await resolver().resolve(credential)).toBeNull();
  });

  test("a credential that cannot be resolved rejects when the database cannot be asked, instead of giving no identity", async () => {
    const gone = await createTestDatabase();
    const closed = await connectDatabase({ url: gone.url, poolMax: 1, applicationName: "auth-gone", logger });
    await gone.drop();
    const { resolve } = resolver(closed);
    const credential = accessTokens.issue({ userId: randomUUID() });
    await expect(resolve({ scheme: "bearer", credential })).rejects.toThrow();
    await expect(resolve({ scheme: "bot", credential: "0".repeat(64) })).rejects.toThrow();
    await closed.close();
  });
});
