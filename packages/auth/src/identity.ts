import type { AccessTokens } from "./access-tokens.js";
import type { Accounts } from "./accounts.js";
import type { Credential } from "./authorization.js";

/** Who calls. `viaStaticToken` tells a bot's own token from the JWT of `POST /bots/connect`. */
export type Identity =
  | { kind: "user"; userId: string; viaStaticToken: false }
  | { kind: "bot"; userId: string; botId: string; viaStaticToken: boolean };

/** Turns a credential into an identity, or null when it is wrong, expired, revoked, or its account is gone. */
export type ResolveIdentity = (credential: Credential | null) => Promise<Identity | null>;

/**
 * The one way in for api and gateway (contract 2). Rejects only when the database cannot be asked.
 */
export function createResolveIdentity(options: { accessTokens: AccessTokens; accounts: Accounts }): ResolveIdentity {
  const { accessTokens, accounts } = options;

  async function byStaticToken(token: string): Promise<Identity | null> {
    const bot = await accounts.findBotByToken(token);
    return bot === null ? null : { kind: "bot", ...bot, viaStaticToken: true };
  }

  async function byAccessToken(token: string): Promise<Identity | null> {
    const claims = accessTokens.verify(token);
    if (claims === null) return null;
    if (claims.bot) {
      const bot = await accounts.findActiveBot(claims.userId);
      return bot === null ? null : { kind: "bot", ...bot, viaStaticToken: false };
    }
    const exists = await accounts.userExists(claims.userId);
    return exists ? { kind: "user", userId: claims.userId, viaStaticToken: false } : null;
  }

  return async (credential) => {
    if (credential === null) return null;
    return credential.scheme === "bot" ? byStaticToken(credential.credential) : byAccessToken(credential.credential);
  };
}
