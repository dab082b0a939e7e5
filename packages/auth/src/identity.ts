import type { AccessTokens, SessionClaim } from "./access-tokens.js";
import type { Accounts, MissingFactor } from "./accounts.js";
import type { Credential } from "./authorization.js";
import { isGeneratedToken } from "./opaque-tokens.js";

/**
 * The caller. `sessionVersion`: the version of the account's sessions; a new password, or a new token of a bot, begins
 * another version. `viaStaticToken`: by a bot's own token, not by the JWT of `POST /bots/connect`.
 */
export type Identity = { userId: string; sessionVersion: number } & (
  | { kind: "user"; sessionId: string | null; isAdmin: boolean; missingFactor: MissingFactor; viaStaticToken: false }
  | { kind: "bot"; botId: string; viaStaticToken: boolean }
);

/** The claims of a credential, before the database confirms it. */
export interface Claim {
  /** Whether it speaks for a bot. */
  bot: boolean;
  /** The user and session that it names, for a statement with `sessionInForce`; null for bots. */
  named: { userId: string; session: SessionClaim } | null;
  /** Null when it is revoked, its session has ended, or its account is gone or disabled. Rejects only while the database is unavailable. */
  confirm(): Promise<Identity | null>;
}

/** Reads a credential without the database; null when it is wrong or expired. */
export type ReadClaim = (credential: Credential | null) => Claim | null;

/** The one way in for api and gateway (docs/protocol/accounts.md#2). */
export function createReadClaim(options: { accessTokens: AccessTokens; accounts: Accounts }): ReadClaim {
  const { accessTokens, accounts } = options;

  async function botByToken(token: string): Promise<Identity | null> {
    const bot = await accounts.findBotByToken(token);
    return bot === null ? null : { kind: "bot", ...bot, viaStaticToken: true };
  }

  async function botByUser(userId: string, { version }: SessionClaim): Promise<Identity | null> {
    const bot = await accounts.findActiveBot(userId, version);
    return bot === null ? null : { kind: "bot", ...bot, viaStaticToken: false };
  }

  async function user(userId: string, session: SessionClaim): Promise<Identity | null> {
    const active = await accounts.findActiveUser(userId, session);
    if (active === null) return null;
    const { id: sessionId, version: sessionVersion } = session;
    return { kind: "user", userId, sessionId, sessionVersion, ...active, viaStaticToken: false };
  }

  return (claimed) => {
    if (claimed === null) return null;
    const { scheme, credential } = claimed;
    if (scheme === "bot") {
      return isGeneratedToken(credential) ? { bot: true, named: null, confirm: () => botByToken(credential) } : null;
    }
    const claims = accessTokens.verify(credential);
    if (claims === null) return null;
    const { bot, userId, session } = claims;
    if (bot) return { bot, named: null, confirm: () => botByUser(userId, session) };
    return { bot, named: { userId, session }, confirm: () => user(userId, session) };
  };
}
