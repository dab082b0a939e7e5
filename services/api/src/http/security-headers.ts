import cors from "cors";
import type { RequestHandler } from "express";
import helmet from "helmet";

/** How long browsers may remember a CORS preflight. */
const preflightMaxAgeSeconds = 600;

/** The headers of docs/interface.md#1.7 on every response, and further headers of helmet that fit an API. */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Emoji and attachments are shown by pages of other origins.
    crossOriginResourcePolicy: { policy: "cross-origin" },
    crossOriginOpenerPolicy: false,
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
}

/**
 * CORS of docs/interface.md#1.7: no credentials, any origin in development.
 *
 * @param origins allowed origins; `*` allows all
 */
export function crossOrigin({
  origins,
  anyOrigin,
}: {
  origins: readonly string[];
  anyOrigin: boolean;
}): RequestHandler {
  return cors({
    origin: anyOrigin || origins.includes("*") ? "*" : [...origins],
    methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    allowedHeaders: ["Authorization", "Content-Type"],
    exposedHeaders: [
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
      "Retry-After",
      "Link",
      "Content-Disposition",
      "X-Request-Id",
    ],
    maxAge: preflightMaxAgeSeconds,
    optionsSuccessStatus: 204,
  });
}
