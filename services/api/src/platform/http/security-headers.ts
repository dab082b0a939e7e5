import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import cors from "cors";
import type { RequestHandler } from "express";
import helmet from "helmet";

/** How long browsers may remember a CORS preflight. */
const preflightMaxAgeSeconds = 600;

/**
 * The headers of docs/protocol/requests.md#1.7 on every response, and further headers of helmet that fit an API. They are the same
 * for all requests, so helmet's fifteen handlers run once.
 */
export function securityHeaders(): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      // Emoji and attachments are shown by pages of other origins.
      crossOriginResourcePolicy: { policy: "cross-origin" },
      crossOriginOpenerPolicy: false,
      frameguard: { action: "deny" },
      referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    }),
  );
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** The headers that a handler sets. */
function headersOf(handler: ReturnType<typeof helmet>) {
  const headers: [name: string, value: number | string | readonly string[]][] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.push([name, value]);
    return response;
  };
  handler(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return headers;
}

/**
 * CORS of docs/protocol/requests.md#1.7: no credentials, any origin in development.
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
