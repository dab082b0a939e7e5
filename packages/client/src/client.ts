import { addressOf, readBaseUrl } from "./address.js";
import { createGateways } from "./create-gateway.js";
import { Credentials, type SendBare } from "./credentials.js";
import { ParleyError, unreachable } from "./error.js";
import type { Gateway } from "./gateway.js";
import type { GatewayOptions } from "./gateway-options.js";
import type {
  AuthChangePasswordBody,
  AuthLoginBody,
  AuthLoginWithPasskeyBody,
  AuthRegisterBody,
  AuthResponse,
  Ready,
  Rest,
  User,
} from "./generated/index.js";
import { createRest } from "./generated/rest.js";
import { createPages, type Pages } from "./pages.js";
import type { Backoff } from "./pause.js";
import type { RequestOptions } from "./request.js";
import { createMemoryTokenStore, type TokenStore, type Tokens } from "./token-store.js";
import { createTransport } from "./transport.js";
import type { WebSocketConstructor } from "./websocket.js";

/** The server's address, and the credentials of the client. */
export interface ClientOptions {
  /** Address of the server with http or https, such as `https://chat.example.com`. */
  readonly baseUrl: string;
  /** Static token of a bot. */
  readonly botToken?: string;
  /** Tokens of an earlier login. */
  readonly tokens?: Tokens;
  /** Where tokens are kept and shared, such as {@link createBrowserTokenStore}; in memory by default. */
  readonly tokenStore?: TokenStore;
  /**
   * Called with every new pair of tokens, for programs that keep them without a store, and with null when the session
   * has ended; also after changes by other clients of the same store. `refusal` is the server's answer that ended it:
   * 401, or 403 when the account is disabled; absent after a logout, and in the other clients of the store.
   */
  readonly onTokens?: (tokens: Tokens | null, refusal?: ParleyError) => void;
  /**
   * How often a request that got no answer is repeated, where that is safe. By default 4 times, and messages, which
   * carry a nonce, until the deadline.
   */
  readonly retries?: number;
  /** Waits before these repetitions. */
  readonly backoff?: Backoff;
  /**
   * Longest Retry-After of a 429 after which a request is repeated, in milliseconds, a minute by default. With a longer
   * one it fails.
   */
  readonly rateLimitWaitMaxMs?: number;
  /** Time limit of one attempt in milliseconds, 30 seconds by default; uploads have none. */
  readonly timeoutMs?: number;
  /**
   * Time limit of a request in milliseconds with all its repetitions and its waits for the rate limit and for requests
   * before it; 5 minutes by default. It does not end an upload that has begun.
   */
  readonly deadlineMs?: number;
  /** Replaces the platform's. */
  readonly fetch?: typeof fetch;
  /** Replaces the platform's, or that of the package `ws`. */
  readonly WebSocket?: WebSocketConstructor;
}

/** A client of a Parley server: a group of methods for each resource of the REST API, and further features. */
export interface ParleyClient extends Rest {
  /** Long lists as async iterators. */
  readonly pages: Pages;
  /** The tokens in use; null without a session. */
  readonly tokens: Tokens | null;
  /** Logs in and acts as that user from then on. */
  login(credentials: AuthLoginBody, options?: RequestOptions): Promise<User>;
  /** Logs in with a passkey's answer to the request of `auth.beginPasskeyLogin`, and acts as that user from then on. */
  loginWithPasskey(answer: AuthLoginWithPasskeyBody, options?: RequestOptions): Promise<User>;
  /** Exchanges the code of a sign-in at the provider, in the browser that began it, and acts as that user from then on. */
  signInWithCode(code: string, options?: RequestOptions): Promise<User>;
  /**
   * Registers an account and acts as it from then on.
   *
   * @throws ParleyError `registration_waits` when the account has to wait for a confirmation or an approval
   */
  register(account: AuthRegisterBody, options?: RequestOptions): Promise<User>;
  /** Changes the password; all other sessions end, and this one gets new tokens. */
  changePassword(body: AuthChangePasswordBody, options?: RequestOptions): Promise<User>;
  /** Ends the session and removes its tokens. */
  logout(options?: RequestOptions): Promise<void>;
  /** A connection for events, yet to be connected. */
  gateway(options?: GatewayOptions & { readonly position?: undefined }): Gateway<Ready>;
  /** The same from a position on: `connect` resolves with null when the server continued from there. */
  gateway(options: GatewayOptions): Gateway;
  /** The whole address of one that the server gives relative to itself, such as an attachment's `url`. */
  resolve(path: string): string;
}

/**
 * Makes a client.
 *
 * @throws TypeError for a `baseUrl` without http or https
 */
export function createClient(options: ClientOptions): ParleyClient {
  const baseUrl = readBaseUrl(options.baseUrl);
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const { timeoutMs = 30_000 } = options;

  const sendBare: SendBare = async (path, { headers, body }) => {
    const request = { method: "POST", url: addressOf(baseUrl, path) };
    const answer = send(request.url, {
      method: request.method,
      headers: { "content-type": "application/json", ...headers },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const response = await answer.catch((error: unknown) => {
      throw unreachable(error, request);
    });
    return { request, response };
  };
  const store = options.tokenStore ?? createMemoryTokenStore(null);
  if (options.tokens !== undefined) store.write(options.tokens);
  const credentials = new Credentials({
    store,
    botToken: options.botToken ?? null,
    send: sendBare,
    onTokens: options.onTokens ?? (() => undefined),
  });
  const transport = createTransport({
    baseUrl,
    fetch: send,
    credentials,
    retries: options.retries ?? null,
    backoff: options.backoff ?? { baseMs: 250, maxMs: 8_000 },
    rateLimitWaitMaxMs: options.rateLimitWaitMaxMs ?? 60_000,
    timeoutMs,
    deadlineMs: options.deadlineMs ?? 300_000,
  });
  const rest = createRest(transport);
  const begin = (answer: AuthResponse): User => {
    credentials.begin(tokensOf(answer));
    return answer.user;
  };
  const changePassword = async (body: AuthChangePasswordBody, requestOptions?: RequestOptions): Promise<User> => {
    const path = "/auth/change-password";
    const request = { method: "POST", path, body, withoutRenewal: true, options: requestOptions };
    const answer = transport.json<AuthResponse>(request);
    await credentials.replace(answer.then(tokensOf));
    return (await answer).user;
  };
  return {
    ...rest,
    pages: createPages(rest, transport),
    get tokens() {
      return credentials.tokens;
    },
    login: async (body, requestOptions) => begin(await rest.auth.login(body, requestOptions)),
    loginWithPasskey: async (body, requestOptions) => begin(await rest.auth.loginWithPasskey(body, requestOptions)),
    signInWithCode: async (code, requestOptions) => begin(await rest.auth.signInWithCode({ code }, requestOptions)),
    async register(body, requestOptions) {
      const answer: AuthResponse | { pending: true } = await rest.auth.register(body, requestOptions);
      if ("access_token" in answer) return begin(answer);
      const text = "The account is registered and has to wait before it can log in";
      throw new ParleyError({ status: 202, code: "registration_waits", text });
    },
    async changePassword(body, requestOptions) {
      const { session } = credentials;
      const authorization = credentials.header();
      return changePassword(body, requestOptions).catch(async (error: unknown) => {
        const isRefused = error instanceof ParleyError && error.status === 401;
        if (!isRefused || !(await credentials.renew(authorization))) throw error;
        // The next session may be another user's.
        if (credentials.session !== session) throw error;
        return changePassword(body, requestOptions);
      });
    },
    async logout(requestOptions) {
      const { session } = credentials;
      try {
        await rest.auth.logout(requestOptions);
      } finally {
        // A login since the request wins.
        if (credentials.session === session) credentials.begin(null);
      }
    },
    gateway: createGateways({ baseUrl, fetch: send, credentials, WebSocket: options.WebSocket }),
    resolve: (path) => addressOf(baseUrl, path),
  };
}

const tokensOf = ({ access_token, refresh_token }: AuthResponse): Tokens => ({
  accessToken: access_token,
  refreshToken: refresh_token,
});
