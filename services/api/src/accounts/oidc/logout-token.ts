import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import type { ServerMetadata } from "openid-client";
import { clockToleranceSeconds, identifierBytesMax, logoutTokenAgeSeconds, providerTimeoutSeconds } from "./limits.js";

/** The sessions that a logout token ends: one session of the provider, or all of a person. */
export interface LogoutToken {
  issuer: string;
  id: string;
  subject: string | null;
  sid: string | null;
}

const eventName = "http://schemas.openid.net/event/backchannel-logout";
/** By keys that the provider alone has. */
const asymmetric = /^(RS|PS|ES)(256|384|512)$|^(EdDSA|Ed25519|ML-DSA-\d+)$/;
/** Codes of errors that say nothing about the token: the keys could not be read. */
const keysUnread = new Set(["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"]);

/** Reads logout tokens of OpenID Connect Back-Channel Logout 1.0, for one client of the provider. */
export function createReadLogoutToken(clientId: string) {
  let keys: { uri: string; set: ReturnType<typeof createRemoteJWKSet> } | null = null;

  function keysOf(uri: string) {
    if (keys?.uri !== uri) {
      const set = createRemoteJWKSet(new URL(uri), { timeoutDuration: providerTimeoutSeconds * 1_000 });
      keys = { uri, set };
    }
    return keys.set;
  }

  /**
   * @returns null for a token that is not to be believed
   * @throws when the provider's keys cannot be read
   */
  return async (token: string, metadata: ServerMetadata): Promise<LogoutToken | null> => {
    const { issuer, jwks_uri, id_token_signing_alg_values_supported: named = ["RS256"] } = metadata;
    if (jwks_uri === undefined) return null;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keysOf(jwks_uri), {
        issuer,
        audience: clientId,
        algorithms: named.filter((name) => asymmetric.test(name)),
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: logoutTokenAgeSeconds,
        requiredClaims: ["iat", "jti", "events"],
      });
      const { typ = "logout+jwt" } = protectedHeader;
      return /^(application\/)?(logout\+)?jwt$/i.test(typ) ? logoutOf(payload, issuer) : null;
    } catch (error) {
      if (error instanceof errors.JOSEError && !keysUnread.has(error.code)) return null;
      throw error;
    }
  };
}

function logoutOf({ jti, sub, sid, events, nonce }: JWTPayload, issuer: string): LogoutToken | null {
  // A token with a nonce is an ID token.
  if (nonce !== undefined || !isIdentifier(jti) || !isObject(events) || !isObject(events[eventName])) return null;
  if (![sub, sid].every((value) => value === undefined || isIdentifier(value))) return null;
  if (sub === undefined && sid === undefined) return null;
  return { issuer, id: jti, subject: isIdentifier(sub) ? sub : null, sid: isIdentifier(sid) ? sid : null };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is an identifier, and short enough to store. */
export const isIdentifier = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && Buffer.byteLength(value) <= identifierBytesMax;
