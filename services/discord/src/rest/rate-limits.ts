import { createHash } from "node:crypto";
import { DiscordError } from "./errors.js";

/** How the api counts the caller: headers of its answer (docs/protocol/limits.md#1.6). */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** How long a caller above the global limit waits, in seconds: the api's bucket of 50 fills in one. */
const globalWaitSeconds = 0.25;

/** 429 for so many seconds (docs/discord.md#rest). */
export function limitedFor(
  seconds: number,
  { code, global = false }: { code?: number; global?: boolean } = {},
): DiscordError {
  const headers = {
    "Retry-After": String(Math.ceil(seconds)),
    "X-RateLimit-Scope": global ? "global" : "user",
    ...(global ? { "X-RateLimit-Global": "true" } : {}),
  };
  return new RateLimitedError(seconds, global, code, headers);
}

/** 429 of a bot with more than 50 requests a second. */
export const globalLimit = () => limitedFor(globalWaitSeconds, { global: true });

class RateLimitedError extends DiscordError {
  constructor(
    private readonly seconds: number,
    private readonly isGlobal: boolean,
    private readonly limitCode: number | undefined,
    headers: Record<string, string>,
  ) {
    super(429, limitCode ?? 0, "You are being rate limited.", undefined, headers);
  }

  override get body(): object {
    const { message, seconds, isGlobal, limitCode } = this;
    return { message, retry_after: seconds, global: isGlobal, ...(limitCode === undefined ? {} : { code: limitCode }) };
  }
}

/** The bucket of a route: the same for all objects of it, another for each route (docs/discord.md#rules). */
export const bucketOf = (method: string, path: string): string =>
  createHash("sha256").update(`${method} ${path}`).digest("hex").slice(0, 32);

/**
 * Headers of an answer of a limited route, from which libraries pace themselves.
 *
 * @param now milliseconds since 1970
 */
export function limitHeaders(quota: Quota, bucket: string, now: number): Record<string, string> {
  const resetAfter = Math.max(0, quota.reset - now / 1_000);
  return {
    "X-RateLimit-Limit": String(quota.limit),
    "X-RateLimit-Remaining": String(quota.remaining),
    "X-RateLimit-Reset": (now / 1_000 + resetAfter).toFixed(3),
    "X-RateLimit-Reset-After": resetAfter.toFixed(3),
    "X-RateLimit-Bucket": bucket,
  };
}
