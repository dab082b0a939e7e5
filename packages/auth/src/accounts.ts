import { isUuid } from "@parley/contracts";
import { type Database, defineStatement, type RawRow, rowsOfArrays } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import type { SessionClaim } from "./access-tokens.js";
import { accountsBatchMax, accountsInFlightMax } from "./limits.js";
import { hashToken, isGeneratedToken } from "./opaque-tokens.js";

/** A bot that is neither revoked nor disabled, and the account that it acts as. */
export interface ActiveBot {
  botId: string;
  userId: string;
  /** A new token of the bot begins a new version. */
  sessionVersion: number;
}

/**
 * Whom the installation demands a second factor of, where the account has neither that nor a passkey; null where it has, or needs
 * none.
 */
export type MissingFactor = "administrators" | "everyone" | null;

/** A user whose session is in force. */
export interface ActiveUser {
  isAdmin: boolean;
  missingFactor: MissingFactor;
}

/**
 * SQL for whether an account has neither a second factor nor a passkey. Accounts without a password, those of bots and of single
 * sign-on, cannot have one and lack none.
 *
 * @param user SQL of its id
 */
export const lacksFactorSql = (user: string) =>
  `(NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = ${user} AND f.confirmed_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_id = ${user})
    AND EXISTS (SELECT FROM users a WHERE a.id = ${user} AND a.password_hash IS NOT NULL))`;

/** SQL of {@link MissingFactor} of an account: the subquery is evaluated once a statement, and asks further only where one is demanded. */
const missingFactorSql = (user: string) => `CASE
    WHEN (SELECT chosen ->> 'require_second_factor' FROM instance_settings) IS NOT NULL AND ${lacksFactorSql(user)}
    THEN (SELECT chosen ->> 'require_second_factor' FROM instance_settings) END`;

/** SQL for whether the account `u` and a session of it are in force. */
const isInForce = ({ version, id }: { version: string; id: string }) => `u.session_version = ${version}
  AND u.disabled_at IS NULL AND NOT EXISTS (SELECT FROM ended_sessions e WHERE e.id = ${id})`;

/**
 * SQL for whether a user's session is in force, in the statement that reads the requested data: one statement fewer a
 * request. True where the version is null, for a caller that is confirmed already.
 *
 * @param sql expressions of the account's id, and of the version and the id of {@link SessionClaim}
 */
export const sessionInForce = ({ userId, ...session }: { userId: string; version: string; id: string }) =>
  `(${session.version} IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = ${userId} AND ${isInForce(session)}
    AND ${missingFactorSql("u.id")} IS DISTINCT FROM 'everyone'))`;

const selectUsers = defineStatement({
  name: "auth_active_users",
  text: `
SELECT asked.position, u.is_admin OR u.admin_by_setting AS is_admin, ${missingFactorSql("u.id")} AS missing_factor
FROM ${rowsOfArrays("uuid", "integer", "uuid")} WITH ORDINALITY AS asked (user_id, session_version, session_id, position)
CROSS JOIN LATERAL (SELECT * FROM users WHERE id = asked.user_id OFFSET 0) u
WHERE ${isInForce({ version: "asked.session_version", id: "asked.session_id" })}`,
  row: z.object({
    position: z.coerce.number(),
    is_admin: z.boolean(),
    missing_factor: z.enum(["administrators", "everyone"]).nullable(),
  }),
});
const toActiveBot = (row: RawRow): ActiveBot => ({
  botId: String(row.id),
  userId: String(row.user_id),
  sessionVersion: Number(row.session_version),
});
const activeBots = `SELECT b.id, b.user_id, u.session_version FROM bots b JOIN users u ON u.id = b.user_id
  WHERE b.revoked_at IS NULL AND u.disabled_at IS NULL`;
const selectBotByToken = defineStatement({
  name: "auth_bot_by_token",
  text: `${activeBots} AND b.token_hash = $1`,
  row: toActiveBot,
});
const selectBotByUser = defineStatement({
  name: "auth_bot_by_user",
  text: `${activeBots} AND b.user_id = $1::uuid AND u.session_version = $2`,
  row: toActiveBot,
});

interface Asked {
  userId: string;
  session: SessionClaim;
}

/**
 * The accounts behind valid tokens. Nothing is cached, so that the end of a session, a revocation, a disabled account and
 * administrators' rights count at once (docs/protocol/accounts.md#2, docs/protocol/operators.md#18.1). Requests that arrive while a
 * statement runs share the next one. Every function rejects while the database is unavailable.
 */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ database }: { database: Pick<Database, "query"> }) {
  async function load(asked: readonly Asked[]): Promise<(ActiveUser | null)[]> {
    const rows = await database.query(selectUsers, [
      asked.map(({ userId }) => userId),
      asked.map(({ session }) => session.version),
      asked.map(({ session }) => session.id),
    ]);
    const found = new Map(
      rows.map(({ position, is_admin, missing_factor }) => [
        position,
        { isAdmin: is_admin, missingFactor: missing_factor },
      ]),
    );
    return asked.map((_, index) => found.get(index + 1) ?? null);
  }
  const findUser = createBatcher({ work: load, batchMax: accountsBatchMax, inFlightMax: accountsInFlightMax });

  return {
    /** The user, unless the account is gone or disabled or the session has ended. */
    findActiveUser: async (userId: string, session: SessionClaim): Promise<ActiveUser | null> =>
      isUuid(userId) ? findUser({ userId, session }) : null,
    /** The bot that this static token belongs to; null at once when it has not the form of one. */
    async findBotByToken(token: string): Promise<ActiveBot | null> {
      if (!isGeneratedToken(token)) return null;
      const [bot] = await database.query(selectBotByToken, [hashToken(token)]);
      return bot ?? null;
    },
    /** The bot that acts as this account, unless it was given another token since that version. */
    async findActiveBot(userId: string, sessionVersion: number): Promise<ActiveBot | null> {
      if (!isUuid(userId)) return null;
      const [bot] = await database.query(selectBotByUser, [userId, sessionVersion]);
      return bot ?? null;
    },
  };
}
