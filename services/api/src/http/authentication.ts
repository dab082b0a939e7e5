import { parseAuthorization, type ResolveIdentity, rejectionText } from "@parley/auth";
import type { RequestHandler } from "express";
import "./request-state.js";

/**
 * Finds out who calls; whether somebody must is decided by the route. It runs before the rate limits, because a bot's
 * requests count against the bot and not against its address (contract.md 1.6).
 */
export function authentication(resolveIdentity: ResolveIdentity): RequestHandler {
  return (request, _response, next) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return next();
    const credential = parseAuthorization(authorization);
    request.state.refusal = rejectionText(credential);
    resolveIdentity(credential).then((identity) => {
      request.state.identity = identity;
      next();
    }, next);
  };
}
