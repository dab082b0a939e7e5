import { randomUUID } from "node:crypto";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { z } from "zod";
import { createLocalAttempts } from "./local-attempts.js";

/** An attempt that was counted. */
export interface CountedAttempt {
  /** Takes it out of the counts again. Never rejects. */
  withdraw(): Promise<void>;
}

const lua = new URL("../../../lua/", import.meta.url);

/**
 * Counts in Redis, for all processes together; while Redis is away, each process counts by itself.
 *
 * @param options.name in the names of the scripts
 * @param options.limits most attempts of each key within the window, in the order of the keys
 */
export function createAttemptCounts(options: {
  redis: RedisConnection;
  name: string;
  limits: readonly number[];
  windowMs: number;
}) {
  const { redis, name, limits, windowMs } = options;
  const local = createLocalAttempts({ limits, windowMs });
  const keyCount = limits.length;
  const begin = defineScript({
    name: `${name}-begin`,
    keyCount,
    lua: readLua(lua, "login-attempt-begin"),
    reply: (raw) => {
      const [waitMs, full] = z.tuple([z.int(), z.int()]).parse(raw);
      return { waitMs, full: full - 1 };
    },
  });
  const withdraw = defineScript({
    name: `${name}-withdraw`,
    keyCount,
    lua: readLua(lua, "login-attempt-succeed"),
    reply: () => undefined,
  });

  const count = async (keys: readonly string[], id: string) => {
    try {
      if (redis.ready) return await redis.run(begin, keys, [windowMs, id, ...limits]);
    } catch {
      // The connection logs its outages.
    }
    return local.begin(keys, { id, now: Date.now() });
  };

  return {
    /** @returns the attempt, or the seconds after which one may be made, and the place of the key whose limit is reached */
    async begin(keys: readonly string[]): Promise<CountedAttempt | { retryAfterSeconds: number; full: number }> {
      const id = randomUUID();
      const { waitMs, full } = await count(keys, id);
      if (waitMs > 0) return { retryAfterSeconds: Math.ceil(waitMs / 1_000), full };
      return {
        async withdraw() {
          local.succeed(keys, id);
          await redis.run(withdraw, keys, [id]).catch(() => undefined);
        },
      };
    },
  };
}

/** Attempts of one kind. */
export type AttemptCounts = ReturnType<typeof createAttemptCounts>;
