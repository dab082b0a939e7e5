import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { isUuid } from "@parley/contracts";
import jwt from "jsonwebtoken";
import { z } from "zod";
import { accessTokenLengthMax, accessTokenTtlSeconds } from "./limits.js";

/**
 * The secret of this installation and, while it is being rotated, the former one. The first signs and seals; tokens
 * that any of them has signed or sealed are accepted.
 */
export function jwtSecrets(config: {
  JWT_SECRET: string;
  JWT_SECRET_PREVIOUS?: string | undefined;
}): [string, ...string[]] {
  const { JWT_SECRET, JWT_SECRET_PREVIOUS } = config;
  return JWT_SECRET_PREVIOUS === undefined ? [JWT_SECRET] : [JWT_SECRET, JWT_SECRET_PREVIOUS];
}

/**
 * The session that an access token belongs to: its id, null for bots, and the version of the account's sessions. Tokens
 * that name none were issued by former releases.
 */
export interface SessionClaim {
  id: string | null;
  version: number;
}

/** The claim of a token that names no session. */
export const noSession: SessionClaim = { id: null, version: 0 };

/** Claims of a valid access token. Whether the account still exists is not checked. */
export interface AccessClaims {
  userId: string;
  /** Issued to a bot by `POST /bots/connect`. */
  bot: boolean;
  session: SessionClaim;
  expiresAt: Date;
}

/**
 * Issues and verifies access tokens (docs/protocol/accounts.md#2): JWT, HS256, claims `sub`, `iat`, `exp`, `jti`, for bots
 * `bot: true` and `ver`, for users `sid` and `ver` of their session.
 */
export type AccessTokens = ReturnType<typeof createAccessTokens>;

/**
 * @param options.secret signs and verifies
 * @param options.previousSecret only verifies, so that tokens outlive a change of the secret
 */
export function createAccessTokens(options: {
  secret: string;
  previousSecret?: string | undefined;
  ttlSeconds?: number;
}) {
  const { secret, previousSecret, ttlSeconds = accessTokenTtlSeconds } = options;
  // Key objects are prepared once: from a string, jsonwebtoken would try to read a PEM key at every verification first.
  const signingKey = keyOf(secret);
  const verifyingKeys = previousSecret === undefined ? [signingKey] : [signingKey, keyOf(previousSecret)];
  return {
    issue({
      userId,
      bot = false,
      session = noSession,
    }: {
      userId: string;
      bot?: boolean;
      session?: SessionClaim;
    }): string {
      const claims = {
        ...(bot ? { bot, ver: session.version } : {}),
        ...(session.id === null ? {} : { sid: session.id, ver: session.version }),
      };
      return jwt.sign(claims, signingKey, {
        algorithm: "HS256",
        subject: userId,
        expiresIn: ttlSeconds,
        jwtid: randomUUID(),
      });
    },
    /**
     * The claims of a token that was signed here, names an account and has not expired; null for anything else. Never
     * throws.
     */
    verify(token: unknown): AccessClaims | null {
      if (typeof token !== "string" || token === "" || token.length > accessTokenLengthMax) return null;
      for (const key of verifyingKeys) {
        const claims = verifyWith(key, token);
        if (claims !== null) return claims;
      }
      return null;
    },
  };
}

const sessionOf = z
  .object({ sid: z.string().refine(isUuid).nullable().default(null), ver: z.int32() })
  .transform(({ sid, ver }): SessionClaim => ({ id: sid, version: ver }));

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, "utf8"));
}

function verifyWith(key: KeyObject, token: string): AccessClaims | null {
  try {
    const payload = jwt.verify(token, key, { algorithms: ["HS256"] });
    if (typeof payload === "string" || payload === null) return null;
    const { sub, exp } = payload;
    // jsonwebtoken accepts tokens without `exp`, which do not expire, and any JSON as a claim.
    if (!isUuid(sub) || typeof exp !== "number" || !Number.isSafeInteger(exp)) return null;
    const session = sessionOf.safeParse(payload).data ?? noSession;
    return { userId: sub.toLowerCase(), bot: payload.bot === true, session, expiresAt: new Date(exp * 1000) };
  } catch {
    return null;
  }
}
