import { errorBody, errorTexts } from "@parley/contracts";
import { botBuckets, createJointTake, createTokenBucket, type RedisConnection, type Take } from "@parley/redis";
import type { Request, Response } from "express";
import { ipKeyGenerator } from "express-rate-limit";
import { clientAddressOf } from "./client-address.js";
import { answerJson } from "./route.js";

/** Rate in requests per second, and the size of a burst. */
export interface RequestRate {
  ratePerSecond: number;
  burst: number;
}

/** The limits of docs/protocol/limits.md#1.6 and docs/protocol/limits.md#16.3. */
export interface RateLimitSizes {
  rest: RequestRate;
  /** Paths below `/auth/`, instead of `rest`. */
  auth: RequestRate;
  /** One bot. */
  bot: RequestRate;
  /** All bots behind one address together. */
  botAddress: RequestRate;
}

/** Limits of a client over all its requests; labels of the metric `limited_total`. */
type AddressLimit = "address" | "auth_address" | "bot_lookup";

export function createRateLimits({ redis, sizes }: { redis: RedisConnection; sizes: RateLimitSizes }) {
  const rest = createTokenBucket({ redis, name: "rest", ...sizes.rest });
  const auth = createTokenBucket({ redis, name: "auth", ...sizes.auth });
  const takeForBot = createJointTake({
    redis,
    families: [
      { name: botBuckets, ...sizes.bot },
      { name: "bot-address", ...sizes.botAddress },
    ],
  });

  /** Writes the headers of a take that was made elsewhere, and the 429 when it was refused. */
  function show(response: Response, take: Take, limit: AddressLimit): boolean {
    setHeaders(response, take);
    if (take.allowed) return true;
    response.req.state.limit = limit;
    response.setHeader("Retry-After", take.retryAfterSeconds);
    answerJson(response, 429, errorBody(errorTexts.rate_limited));
    return false;
  }

  return {
    show,
    /** Lookups of credentials that may be those of bots, as many as the address may send requests. */
    botLookups: createTokenBucket({ redis, name: "bot-lookup", ...sizes.rest }),

    /** Counts a request against its address. */
    async countForAddress(request: Request, response: Response): Promise<boolean> {
      const [bucket, limit] = request.path.startsWith("/auth/")
        ? [auth, "auth_address" as const]
        : [rest, "address" as const];
      const isAllowed = show(response, await bucket.take(addressOf(request)), limit);
      // The edge's line with this id has the address.
      if (!isAllowed && bucket === auth)
        request.state.log.info({ request_id: request.state.id, limit }, "request limited");
      return isAllowed;
    },

    /** Counts a request of a bot, against the bot and against its address. */
    async countForBot(request: Request, response: Response, botUserId: string): Promise<boolean> {
      const takes = await takeForBot([botUserId, addressOf(request)]);
      const [own] = takes;
      const empty = takes.find(({ allowed }) => !allowed);
      // The bot's own bucket, unless that of its address holds it up: then as much of its own is left as it can use.
      const shown = empty ?? own;
      if (shown !== undefined) setHeaders(response, { ...shown, limit: sizes.bot.burst });
      if (empty === undefined) return true;
      request.state.limit = empty === own ? "bot" : "bot_address";
      // One field and no Retry-After, whichever bucket is empty (docs/protocol/requests.md#1.4, docs/protocol/limits.md#1.6).
      answerJson(response, 429, { error: errorTexts.bot_rate_limited });
      return false;
    },
  };
}

/** Counts requests and sets the rate limit headers; false when the request was answered with 429. */
export type RateLimits = ReturnType<typeof createRateLimits>;

/** The client's address as the key of a bucket; IPv6 by network. Requests without an address share one bucket. */
export const addressOf = (request: Request): string => ipKeyGenerator(clientAddressOf(request));

function setHeaders(response: Response, { limit, remaining, resetAt }: Take): void {
  response.setHeader("X-RateLimit-Limit", limit);
  response.setHeader("X-RateLimit-Remaining", remaining);
  response.setHeader("X-RateLimit-Reset", resetAt);
}
