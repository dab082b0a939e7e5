import { errorTexts, ServiceError } from "@parley/contracts";
import type { Logger } from "@parley/service-runtime";
import * as openid from "openid-client";
import type { Oidc } from "../../platform/settings/oidc.js";
import { type Claims, claimsOf } from "./claims.js";
import { discoveryKeptMs, discoveryRetryMs, providerTimeoutSeconds } from "./limits.js";
import { createReadLogoutToken, isIdentifier, type LogoutToken } from "./logout-token.js";

/** The expected values of an answer to an attempt to sign in. */
export interface SignInExpectation {
  state: string;
  nonce: string;
  verifier: string;
}

/** An identity at the provider, and its claims. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** The provider's session; null where it names none. */
  sid: string | null;
  claims: Claims;
}

/** Why an answer is refused: the provider refused first, its answer is wrong, or it cannot be reached. */
export type Refusal = "denied" | "refused" | "unavailable";

/** @param options.logger logs refusals with their reason, without tokens */
export function createProvider({ oidc, logger }: { oidc: Oidc; logger: Logger }) {
  const redirectUri = new URL(`${oidc.publicUrl}/api/auth/oidc/callback`).href;
  let found: { at: number; config: openid.Configuration } | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<openid.Configuration> | null = null;

  const unavailable = (cause: unknown) =>
    new ServiceError("unavailable", errorTexts.sign_in_provider_unavailable, { cause });

  async function discover(): Promise<openid.Configuration> {
    try {
      const config = await readConfiguration(oidc);
      found = { at: Date.now(), config };
      return config;
    } catch (error) {
      failedAt = Date.now();
      logger.warn({ reason: reasonOf(error) }, "the sign-in provider could not be asked for its configuration");
      throw unavailable(error);
    } finally {
      pending = null;
    }
  }

  /** Requests that come at once wait for one answer. */
  function discoverOnce(): Promise<openid.Configuration> {
    if (Date.now() - failedAt < discoveryRetryMs) return Promise.reject(unavailable("it did not answer a moment ago"));
    pending ??= discover();
    return pending;
  }

  /**
   * The provider's metadata, read at the first use. While the provider is away, the last metadata stays in use.
   *
   * @throws ServiceError 503
   */
  async function configuration(): Promise<openid.Configuration> {
    if (found !== null && Date.now() - found.at < discoveryKeptMs) return found.config;
    const former = found?.config;
    return former === undefined ? discoverOnce() : discoverOnce().catch(() => former);
  }

  const readLogoutToken = createReadLogoutToken(oidc.clientId);

  return {
    /** The page of the provider that an attempt begins at. @throws ServiceError 503 */
    async authorizationUrl({ state, nonce, verifier }: SignInExpectation): Promise<string> {
      const code_challenge = await openid.calculatePKCECodeChallenge(verifier);
      const asked = { redirect_uri: redirectUri, scope: oidc.scopes, state, nonce };
      const parameters = { ...asked, code_challenge, code_challenge_method: "S256" };
      return openid.buildAuthorizationUrl(await configuration(), parameters).href;
    },

    /**
     * Checks the query that the provider has sent the browser back with, exchanges its code and checks the answer:
     * issuer, state, nonce, audience, times and signature.
     *
     * @param query of the callback, with its question mark
     */
    async exchange(query: string, expected: SignInExpectation): Promise<ProviderIdentity | Refusal> {
      try {
        const config = await configuration();
        const tokens = await openid.authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), {
          expectedState: expected.state,
          expectedNonce: expected.nonce,
          pkceCodeVerifier: expected.verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (idToken === undefined || !isIdentifier(idToken.sub)) return "refused";
        const { userinfo_endpoint, issuer } = config.serverMetadata();
        const more =
          userinfo_endpoint === undefined ? {} : await openid.fetchUserInfo(config, tokens.access_token, idToken.sub);
        const sid = isIdentifier(idToken.sid) ? idToken.sid : null;
        return { issuer, subject: idToken.sub, sid, claims: claimsOf({ ...more, ...idToken }, oidc) };
      } catch (error) {
        const refusal = refusalOf(error);
        logger.warn({ refusal, reason: reasonOf(error) }, "an answer of the sign-in provider was refused");
        return refusal;
      }
    },

    /** Reads the sessions that a logout token ends; null for a token that is not valid. @throws ServiceError 503 */
    async readLogoutToken(token: string): Promise<LogoutToken | null> {
      const metadata = (await configuration()).serverMetadata();
      try {
        return await readLogoutToken(token, metadata);
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

/** The sign-in provider, by OpenID Connect (docs/protocol/accounts.md#29). */
export type Provider = ReturnType<typeof createProvider>;

async function readConfiguration({ issuer, clientId, clientSecret }: Oidc): Promise<openid.Configuration> {
  const server = new URL(issuer);
  const found = await openid.discovery(server, clientId, clientSecret, undefined, {
    timeout: providerTimeoutSeconds,
    execute: server.protocol === "http:" ? [openid.allowInsecureRequests] : [],
  });
  const metadata = found.serverMetadata();
  // Which of both the provider expects is between it and its administrator; the first is the standard's own.
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic")
    ? openid.ClientSecretBasic(clientSecret)
    : openid.ClientSecretPost(clientSecret);
  const config = new openid.Configuration(metadata, clientId, clientSecret, authentication);
  config.timeout = providerTimeoutSeconds;
  if (server.protocol === "http:") openid.allowInsecureRequests(config);
  // Else the signature of a token that came by TLS would not be checked.
  openid.enableNonRepudiationChecks(config);
  return config;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === "access_denied") return "denied";
    return ["server_error", "temporarily_unavailable"].includes(error.error) ? "unavailable" : "refused";
  }
  if (error instanceof ServiceError || isTimeout(error)) return "unavailable";
  // `fetch` throws this when nobody answers.
  if (error instanceof TypeError && error.message === "fetch failed") return "unavailable";
  return isFailingResponse(error) ? "unavailable" : "refused";
}

const isTimeout = (error: unknown) =>
  error instanceof openid.ClientError && (error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT");

const isFailingResponse = (error: unknown) =>
  error instanceof Error && error.cause instanceof Response && error.cause.status >= 500;

/** For the log: the library's message, without its cause, which may have tokens in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  const word = error instanceof openid.ResponseBodyError ? ` (${error.error})` : "";
  return `${code}${error.message}${word}`;
}
