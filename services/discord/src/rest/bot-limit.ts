import type { TokenBucket } from "@parley/redis";
import type { Api } from "./api.js";
import type { Quota } from "./rate-limits.js";

/**
 * Counts the requests of bots (docs/discord.md#rest): each once, however many calls of the api it took.
 *
 * @param bucket the one in which the api counts its calls
 */
export function createBotLimit(bucket: Pick<TokenBucket, "take" | "giveBack">): BotLimit {
  return async (botUserId, used) => {
    if (used === null) {
      const { allowed, limit, remaining, resetAt } = await bucket.take(botUserId);
      return { limit, remaining, reset: resetAt, isExceeded: !allowed };
    }
    const { counted, ...quota } = used;
    // Never rejects, and no answer waits for it.
    if (counted > 1) void bucket.giveBack(botUserId, counted - 1);
    return { ...quota, remaining: Math.min(quota.limit, quota.remaining + counted - 1), isExceeded: false };
  };
}

/** Counts a request that has been answered. @returns what is left, and whether the request was one too many */
export type BotLimit = (
  botUserId: string,
  used: ReturnType<Api["quota"]>,
) => Promise<Quota & { readonly isExceeded: boolean }>;
