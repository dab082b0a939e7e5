import {
  type Claim,
  type Identity,
  type NetworkBans,
  parseAuthorization,
  type ReadClaim,
  rejectionText,
} from "@parley/auth";
import { errorTexts, forbidden } from "@parley/contracts";
import type { Request, Response } from "express";
import { createBotLookups } from "./bot-lookups.js";
import { clientAddressOf } from "./client-address.js";
import { addressOf, type RateLimits } from "./rate-limits.js";
import "./request-state.js";

/**
 * Counts a request against its limit and identifies the caller; whether a caller is required is decided by the route.
 * False when the request was answered with 429.
 *
 * @param how.isUnlimited true for requests that no limit counts
 * @param how.confirmsSession whether a statement of the route confirms the session of a user
 * @param how.isEntrance whether a session may begin or go on with the request
 * @throws ServiceError 403 at an entrance, for a client from a banned network
 */
export type Admit = (
  request: Request,
  response: Response,
  how: { isUnlimited: boolean; confirmsSession: boolean; isEntrance: boolean },
) => Promise<boolean>;

/**
 * The first two checks of docs/protocol/requests.md#1.4. A request counts against its address before its credential is looked
 * up in the database. Requests with a bot's credential count against the bot; only if the credential is invalid,
 * against the address (docs/protocol/limits.md#1.6).
 */
export function createAdmit({
  readClaim,
  networkBans,
  limits,
}: {
  readClaim: ReadClaim;
  networkBans: Pick<NetworkBans, "isBanned">;
  limits: RateLimits;
}): Admit {
  const lookups = createBotLookups({ bucket: limits.botLookups });

  return async (request, response, { isUnlimited, confirmsSession, isEntrance }) => {
    if (isEntrance && networkBans.isBanned(clientAddressOf(request))) throw forbidden(errorTexts.network_blocked);
    const { state } = request;
    const { authorization } = request.headers;
    const credential = parseAuthorization(authorization);
    state.rejection = rejectionText(credential);
    const claim = readClaim(credential);
    const isAuthPath = request.path.startsWith("/auth/");
    const countsHere = !isUnlimited && (isAuthPath || claim?.bot !== true);
    if (countsHere && !(await limits.countForAddress(request, response))) return false;
    if (claim === null || authorization === undefined) return true;
    state.confirm = () => claim.confirm();
    if (confirmsSession && claim.named !== null) {
      state.identity = unconfirmed(claim.named);
      state.unconfirmed = claim.named.session;
      return true;
    }
    if (!claim.bot) {
      state.identity = await claim.confirm();
      return true;
    }
    const lookup = await lookups.confirm(claim, { authorization, address: addressOf(request) });
    if ("refused" in lookup) return limits.show(response, lookup.refused, "bot_lookup");
    state.identity = lookup.identity;
    if (isUnlimited || isAuthPath) return true;
    return countBot(request, response, lookup.identity);
  };

  function countBot(request: Request, response: Response, identity: Identity | null): Promise<boolean> {
    return identity === null
      ? limits.countForAddress(request, response)
      : limits.countForBot(request, response, identity.userId);
  }
}

/** Whom a user's token names. Whether it is an administrator, only the database knows. */
function unconfirmed({ userId, session }: NonNullable<Claim["named"]>): Identity {
  const { id: sessionId, version: sessionVersion } = session;
  return {
    kind: "user",
    userId,
    sessionId,
    sessionVersion,
    isAdmin: false,
    missingFactor: null,
    viaStaticToken: false,
  };
}
