import type { AccessTokens } from "@parley/auth";
import { type AuthResponse, errorTexts, forbidden, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import type { Request, Response } from "express";
import { findCredentials, getAccount } from "../../people/users/repository.js";
import { toUser } from "../../people/users/resource.js";
import type { Oidc } from "../../platform/settings/oidc.js";
import type { Device } from "../auth/device.js";
import type { OwnerCredentials } from "../auth/schema.js";
import type { AccountSessions } from "../auth/sessions.js";
import type { RequireOwner } from "../second-factor/require-owner.js";
import { createAccountOf } from "./accounts.js";
import type { Attempts } from "./attempts.js";
import { isOfDomain } from "./claims.js";
import { followGroup } from "./follow-group.js";
import { attemptTtlSeconds, destinationLengthMax } from "./limits.js";
import type { Provider, ProviderIdentity, Refusal } from "./provider.js";
import { keepSignIn, lockConnected, noteSession, takeSignIn, useOnce } from "./repository.js";

/** The reasons of a failed sign-in that the page shows: refusals of the provider's answer, and expiry. */
type Reason = Refusal | "expired";

export interface OidcParts {
  database: Database;
  outbox: Outbox<Transaction>;
  sessions: AccountSessions;
  accessTokens: AccessTokens;
  attempts: Attempts;
  provider: Provider;
  oidc: Oidc;
  requireOwner: RequireOwner;
  logger: Logger;
}

export function createOidcService(parts: OidcParts) {
  const { database, outbox, sessions, accessTokens, attempts, provider, oidc, requireOwner, logger } = parts;
  const accountOf = createAccountOf({ database, oidc, logger });

  /** The page that shows how it ended. Fragments are neither sent nor logged. */
  function pageOf(attempt: { to: string | null; linkUserId: string | null } | null, ending: string): string {
    if (attempt !== null && attempt.linkUserId !== null) return `${oidc.publicUrl}/app/account/password#${ending}`;
    const to = attempt?.to ?? null;
    return `${oidc.publicUrl}/app/login${to === null ? "" : `?to=${encodeURIComponent(to)}`}#${ending}`;
  }
  const refusedPage = (attempt: Parameters<typeof pageOf>[0], reason: Reason) =>
    pageOf(attempt, `sign-in-refused=${reason}`);

  /** Begins the session, of an account that the provider's group has made an administrator or not. */
  async function begin(userId: string, person: ProviderIdentity, device: Device): Promise<AuthResponse> {
    const { isAdmin } = person.claims;
    return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
      const before = await findCredentials(transaction, { id: userId });
      const isConnected = before !== null && (await lockConnected(transaction, person, userId));
      if (!isConnected) throw new ServiceError("unauthenticated", errorTexts.sign_in_code_invalid);
      if (before.disabled_at !== null) throw forbidden(errorTexts.account_disabled);
      if (isAdmin !== null && before.is_admin !== isAdmin)
        await followGroup(transaction, emit, { userId, isAdmin, logger });
      const { session, refreshToken } = await sessions.start(transaction, before, device.userAgent);
      if (session.id !== null) await noteSession(transaction, { id: session.id, userId }, person);
      return {
        access_token: accessTokens.issue({ userId, session }),
        refresh_token: refreshToken,
        user: toUser(await getAccount(transaction, userId)),
      };
    });
  }

  return {
    /** Begins an attempt to sign in. @returns where the browser goes on, at the provider; throws ServiceError 503 */
    async start(response: Response, to: unknown): Promise<string> {
      const isPath = typeof to === "string" && to.startsWith("/") && to.length <= destinationLengthMax;
      return provider.authorizationUrl(attempts.begin(response, { to: isPath ? to : null, linkUserId: null }));
    },

    /**
     * Begins an attempt to connect an account, whose password and code are shown. @returns as `start`
     *
     * @throws ServiceError 403, 429, 503
     */
    async startLink(response: Response, userId: string, of: { credentials: OwnerCredentials; device: Device }) {
      await requireOwner(userId, of.credentials, of.device);
      return provider.authorizationUrl(attempts.begin(response, { to: null, linkUserId: userId }));
    },

    /**
     * Checks the query that the provider has sent the browser back with. It changes no account: only the page does,
     * with the code, so that an address which somebody was tricked into opening does nothing.
     *
     * @returns the page of the application that goes on
     */
    async callback(request: Request): Promise<string> {
      const browserHash = attempts.browserHash(request);
      const attempt = attempts.find(request, request.query.state);
      if (attempt === null || browserHash === null) return refusedPage(null, "expired");
      // Before the api asks the provider: only the first of two answers to one attempt counts.
      const isFirst = await useOnce(database, `state ${attempt.state}`, 2 * attemptTtlSeconds);
      if (!isFirst) return refusedPage(attempt, "expired");
      const person = await provider.exchange(request.url.slice(request.url.indexOf("?")), attempt);
      if (typeof person === "string") return refusedPage(attempt, person);
      const code = await keepSignIn(database, person, { browserHash, linkUserId: attempt.linkUserId });
      return pageOf(attempt, `sign-in=${code}`);
    },

    /**
     * Exchanges the code of a sign-in for a session of the person's account.
     *
     * @throws ServiceError 401 for a code that counts no more or is of another browser, 403 for a person who may not
     * sign in
     */
    async session(code: string, request: Request, device: Device): Promise<AuthResponse> {
      const browserHash = attempts.browserHash(request);
      const person =
        browserHash === null ? undefined : await takeSignIn(database, code, { browserHash, linkUserId: null });
      if (person === undefined) throw new ServiceError("unauthenticated", errorTexts.sign_in_code_invalid);
      const { allowedDomains } = oidc;
      if (allowedDomains.length > 0 && !isOfDomain(person.claims.email, allowedDomains)) {
        throw forbidden(errorTexts.sign_in_domain_refused);
      }
      return begin(await accountOf(person), person, device);
    },
  };
}

/** Sign-in at a provider, from its begin to a session (docs/protocol/accounts.md#29.2). */
export type OidcService = ReturnType<typeof createOidcService>;
