import type { Identity } from "@parley/auth";
import { errorTexts, forbidden, ServiceError } from "@parley/contracts";
import type { RequestState } from "./request-state.js";

/**
 * The callers that a route allows: also unauthenticated ones ("anyone"), users and bots ("account"), users, for their
 * own account or their bots, bots by their static token or by either
 * credential, users of apps, or administrators (docs/protocol/accounts.md#2,
 * docs/protocol/operators.md#18.1).
 */
export type Caller = "anyone" | "account" | "user" | "bot owner" | "bot" | "any bot" | "app user" | "admin";

/** Texts of the 403 for the wrong kind of caller. */
const callerErrors = {
  user: errorTexts.bots_not_allowed,
  "bot owner": errorTexts.bots_not_allowed_to_manage_bots,
  bot: errorTexts.only_bots,
  "any bot": errorTexts.only_bots,
  "app user": errorTexts.bots_cannot_use_apps,
  admin: errorTexts.admin_required,
} as const satisfies Partial<Record<Caller, string>>;

/** The text of the 403 that a route answers to the wrong kind of caller; null when it has none. */
export function callerError(caller: Caller): string | null {
  return caller === "anyone" || caller === "account" ? null : callerErrors[caller];
}

/** Placeholder on routes without authentication; such a route reads `state.identity` where it needs the caller. */
const nobody: Identity = {
  kind: "user",
  userId: "",
  sessionId: null,
  sessionVersion: 0,
  isAdmin: false,
  missingFactor: null,
  viaStaticToken: false,
};

/**
 * @param setsUpFactor whether accounts without the second factor that everybody needs may call
 * @throws ServiceError 401 without a caller, 403 for the wrong kind of caller, and without a second factor that is demanded
 */
export function requireCaller(caller: Caller, { identity, rejection }: RequestState, setsUpFactor: boolean): Identity {
  if (caller === "anyone") return identity ?? nobody;
  if (identity === null) throw new ServiceError("unauthenticated", rejection);
  const missingFactor = identity.kind === "user" ? identity.missingFactor : null;
  if (missingFactor === "everyone" && !setsUpFactor) throw forbidden(errorTexts.second_factor_set_up_first);
  const error = callerError(caller);
  if (error !== null && !isCaller(caller, identity)) throw forbidden(error);
  if (caller === "admin" && missingFactor !== null) throw forbidden(errorTexts.second_factor_to_moderate);
  return identity;
}

function isCaller(caller: Caller, identity: Identity): boolean {
  switch (caller) {
    case "user":
    case "bot owner":
    case "app user":
      return identity.kind === "user";
    case "bot":
      return identity.viaStaticToken;
    case "any bot":
      return identity.kind === "bot";
    case "admin":
      return identity.kind === "user" && identity.isAdmin;
    default:
      return true;
  }
}
