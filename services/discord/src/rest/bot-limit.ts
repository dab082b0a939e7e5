import { createTokenBucket, type RedisConnection } from "@parley/redis";
import type { Api } from "./api.js";
import type { Quota } from "./rate-limits.js";

/**
 * Counts the requests of bots in the bucket in which the api counts its own (docs/discord.md#rest): each once, however many
 * calls of the api it took.
 *
 * @param options.perSecond requests of a bot at once, and in a second unless `ratePerSecond` says otherwise, as at the apis
 */
export function createBotLimit(options: {
  redis: RedisConnection;
  perSecond: number;
  ratePerSecond?: number;
}): BotLimit {
  const { redis, perSecond: burst, ratePerSecond = burst } = options;
  const bucket = createTokenBucket({ redis, name: "bot", ratePerSecond, burst });
  return async (botUserId, used) => {
    if (used === null) {
      const { allowed, limit, remaining, resetAt } = await bucket.take(botUserId);
      return { limit, remaining, reset: resetAt, isExceeded: !allowed };
    }
    const { counted, ...quota } = used;
    if (counted > 1) await bucket.giveBack(botUserId, counted - 1);
    return { ...quota, remaining: Math.min(quota.limit, quota.remaining + counted - 1), isExceeded: false };
  };
}

/** Counts a request that has been answered. @returns what is left, and whether the request was one too many */
export type BotLimit = (
  botUserId: string,
  used: ReturnType<Api["quota"]>,
) => Promise<Quota & { readonly isExceeded: boolean }>;
