import { errorBody, errorTexts } from "@parley/contracts";
import { createTokenBucket, createTokenBucketStore, type RedisConnection, type TokenBucket } from "@parley/redis";
import type { Request, RequestHandler, Response } from "express";
import { ipKeyGenerator, rateLimit } from "express-rate-limit";
import { answerJson } from "./route.js";

/** Rate in requests per second, and how many may come at once. */
export interface BucketSize {
  ratePerSecond: number;
  burst: number;
}

/**
 * The limits of contract.md 1.6. A request that authenticated as a bot counts against the bot, paths under `/auth/`
 * have a bucket of their own per address, everything else shares the address's bucket.
 */
export function rateLimits({
  redis,
  rest,
  auth,
  bot,
}: {
  redis: RedisConnection;
  rest: BucketSize;
  auth: BucketSize;
  bot: BucketSize;
}): RequestHandler {
  const perAddress = limiter(createTokenBucket({ redis, name: "rest", ...rest }), addressOf, refuse);
  const perAddressAuth = limiter(createTokenBucket({ redis, name: "auth", ...auth }), addressOf, refuse);
  const perBot = limiter(createTokenBucket({ redis, name: "bot", ...bot }), callerOf, refuseBot);
  return (request, response, next) => {
    if (request.path.startsWith("/auth/")) return perAddressAuth(request, response, next);
    if (request.state.identity?.kind === "bot") return perBot(request, response, next);
    return perAddress(request, response, next);
  };
}

function limiter(
  bucket: TokenBucket,
  keyGenerator: (request: Request) => string,
  handler: (request: Request, response: Response, retryAfterSeconds: number) => void,
): RequestHandler {
  const store = createTokenBucketStore(bucket);
  return rateLimit({
    store,
    limit: store.limit,
    legacyHeaders: true,
    standardHeaders: false,
    keyGenerator,
    retryAfter: store.retryAfter,
    // The bucket is never away: without Redis this process's own buckets count.
    passOnStoreError: false,
    handler: (request, response) => handler(request, response, store.retryAfter),
  });
}

function addressOf(request: Request): string {
  // A peer that has already gone has no address any more; its requests share one bucket.
  return request.ip === undefined ? "unknown" : ipKeyGenerator(request.ip);
}

function callerOf(request: Request): string {
  return request.state.identity?.userId ?? addressOf(request);
}

function refuse(_request: Request, response: Response): void {
  answerJson(response, 429, errorBody(errorTexts.tooManyRequests));
}

/** A bot's 429 has one field and no Retry-After (contract.md 1.4, 1.6). */
function refuseBot(_request: Request, response: Response): void {
  response.removeHeader("Retry-After");
  answerJson(response, 429, { error: errorTexts.botRateLimit });
}
