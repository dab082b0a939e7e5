import { isUuid } from "@parley/contracts";
import { type Database, defineStatement, type RawRow } from "@parley/database";
import { LRUCache } from "lru-cache";
import { userCacheMax, userCacheTtlMs } from "./limits.js";
import { hashToken, isGeneratedToken } from "./opaque-tokens.js";

/** A bot that is not revoked, and the account that it acts as. */
export interface ActiveBot {
  botId: string;
  userId: string;
}

/** Whether the accounts behind valid tokens still exist. Every function rejects while the database is unavailable. */
export interface Accounts {
  /** A found user is cached for a short time; a missing one is looked up every time. */
  userExists(userId: string): Promise<boolean>;
  /** Removes the user from the cache; to be called by what deletes an account in this process. */
  forget(userId: string): void;
  /** The bot that this static token belongs to; null at once when it has not the form of one. Never cached. */
  findBotByToken(token: string): Promise<ActiveBot | null>;
  /** The bot that acts as this account. Never cached, so that a revocation counts at once (docs/interface.md#2). */
  findActiveBot(userId: string): Promise<ActiveBot | null>;
}

const selectUser = defineStatement({
  name: "auth_user_exists",
  text: "SELECT id FROM users WHERE id = $1::uuid",
  row: (row: RawRow) => String(row.id),
});
const toActiveBot = (row: RawRow): ActiveBot => ({
  botId: String(row.id),
  userId: String(row.user_id),
});
const selectBotByToken = defineStatement({
  name: "auth_bot_by_token",
  text: "SELECT id, user_id FROM bots WHERE token_hash = $1 AND revoked_at IS NULL",
  row: toActiveBot,
});
const selectBotByUser = defineStatement({
  name: "auth_bot_by_user",
  text: "SELECT id, user_id FROM bots WHERE user_id = $1::uuid AND revoked_at IS NULL",
  row: toActiveBot,
});

/** @param options.cacheTtlMs for how long a found user is cached; 0 looks up every time */
export function createAccounts(options: { database: Pick<Database, "query">; cacheTtlMs?: number }): Accounts {
  const { database, cacheTtlMs = userCacheTtlMs } = options;
  const found = new LRUCache<string, true>({ max: userCacheMax, ttl: Math.max(cacheTtlMs, 1) });
  return {
    async userExists(userId) {
      if (found.has(userId)) return true;
      if (!isUuid(userId)) return false;
      const [row] = await database.query(selectUser, [userId]);
      if (row === undefined) return false;
      if (cacheTtlMs > 0) found.set(userId, true);
      return true;
    },
    forget(userId) {
      found.delete(userId);
    },
    async findBotByToken(token) {
      if (!isGeneratedToken(token)) return null;
      const [bot] = await database.query(selectBotByToken, [hashToken(token)]);
      return bot ?? null;
    },
    async findActiveBot(userId) {
      if (!isUuid(userId)) return null;
      const [bot] = await database.query(selectBotByUser, [userId]);
      return bot ?? null;
    },
  };
}
