import { createHash, randomUUID } from "node:crypto";
import { isIPv6 } from "node:net";
import { type Database, defineStatement, type RawRow } from "@parley/database";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { ipKeyGenerator } from "express-rate-limit";
import {
  failedLoginsMax,
  failedLoginsPerAddressMax,
  failedLoginWindowMs,
  ipv6PrefixBits,
  knownAddressDays,
} from "./limits.js";
import { createLocalAttempts } from "./local-attempts.js";

/** An attempt that may be made; until it has succeeded it counts as failed, so that many at once pass no limit. */
export interface LoginAttempt {
  /** Takes it out of the counts and remembers the address. Never rejects. */
  succeed(userId: string): Promise<void>;
  /** Takes it out of the counts alone. Never rejects. */
  withdraw(): Promise<void>;
}

/** The counts that an attempt belongs to, with the most attempts that each may have in the window. */
export const attemptLimits = [failedLoginsPerAddressMax, failedLoginsMax] as const;

const knownStatement = defineStatement({
  name: "login_known_address",
  text: `SELECT a.user_id FROM users u JOIN login_addresses a ON a.user_id = u.id
    WHERE u.username = $1 AND a.address_hash = $2 AND a.last_login_at > now() - make_interval(days => $3)`,
  row: (row: RawRow) => String(row.user_id),
});

const rememberStatement = defineStatement({
  name: "login_remember_address",
  text: `INSERT INTO login_addresses (user_id, address_hash) VALUES ($1, $2)
    ON CONFLICT (user_id, address_hash) DO UPDATE SET last_login_at = now()`,
});

const lua = new URL("../../../lua/", import.meta.url);

const beginScript = defineScript({
  name: "login-attempt-begin",
  keyCount: 2,
  lua: readLua(lua, "login-attempt-begin"),
  reply: Number,
});

const succeedScript = defineScript({
  name: "login-attempt-succeed",
  keyCount: 2,
  lua: readLua(lua, "login-attempt-succeed"),
  reply: () => undefined,
});

/** Counts in Redis, for all processes together; while Redis is away, each process counts by itself. */
export function createLoginAttempts(options: { database: Database; redis: RedisConnection }) {
  const { database, redis } = options;
  const local = createLocalAttempts({ limits: attemptLimits, windowMs: failedLoginWindowMs });

  const count = async (keys: readonly string[], id: string): Promise<number> => {
    try {
      if (redis.ready) return await redis.run(beginScript, keys, [failedLoginWindowMs, id, ...attemptLimits]);
    } catch {
      // The connection logs its outages.
    }
    return local.begin(keys, { id, now: Date.now() });
  };

  return {
    /**
     * @param address of the client, as in the rate limits
     * @returns the attempt, or the seconds after which one may be made
     */
    async begin(username: string, address: string): Promise<LoginAttempt | { retryAfterSeconds: number }> {
      const addressHash = hash(`${username}\n${networkOf(address)}`);
      const keys = [`login:address:${addressHash}`, `login:account:${hash(username)}`];
      const id = randomUUID();
      const known = await database.query(knownStatement, [username, addressHash, knownAddressDays]);
      const waitMs = known.length > 0 ? 0 : await count(keys, id);
      if (waitMs > 0) return { retryAfterSeconds: Math.ceil(waitMs / 1_000) };
      const withdraw = async () => {
        local.succeed(keys, id);
        await redis.run(succeedScript, keys, [id]).catch(() => undefined);
      };
      return {
        withdraw,
        async succeed(userId) {
          await Promise.all([
            withdraw(),
            database.execute(rememberStatement, [userId, addressHash]).catch(() => undefined),
          ]);
        },
      };
    },
  };
}

/** Limits of guesses at an account's password (docs/interface.md#16.3). Names without an account are counted alike. */
export type LoginAttempts = ReturnType<typeof createLoginAttempts>;

/** The address, of IPv6 the network of one customer. */
function networkOf(address: string): string {
  return isIPv6(address) ? ipKeyGenerator(address, ipv6PrefixBits) : address;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
