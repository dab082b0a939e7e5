import { hasExpired } from "./access-token.js";
import { readJson } from "./answer.js";
import { type FailedRequest, ParleyError, readError } from "./error.js";
import { pause } from "./pause.js";
import type { TokenStore, Tokens } from "./token-store.js";

/** Longest wait of other clients for the answer that replaces the tokens; a page may be closed before it comes. */
const replacementMsMax = 30_000;
/** How often they look whether it has come. */
const replacementPollMs = 100;

/** Sends a request without credentials of its own choice. */
export type SendBare = (
  path: string,
  init: { headers?: Record<string, string>; body: string },
) => Promise<{ request: FailedRequest; response: Response }>;

/** The account that the client acts as, with its tokens. */
export class Credentials {
  readonly #store: TokenStore;
  readonly #botToken: string | null;
  #botAccessToken: string | null = null;
  #gatewayHeader: string | null = null;
  #renewal: Promise<boolean> | null = null;
  #replacement: Promise<void> | null = null;
  #session = 0;
  readonly #send: SendBare;
  readonly #onTokens: (tokens: Tokens | null, refusal?: ParleyError) => void;
  /** The tokens that `onTokens` was called with last. */
  #notified: Tokens | null;

  constructor(options: {
    store: TokenStore;
    botToken: string | null;
    send: SendBare;
    onTokens: (tokens: Tokens | null, refusal?: ParleyError) => void;
  }) {
    this.#store = options.store;
    this.#botToken = options.botToken;
    this.#send = options.send;
    this.#onTokens = options.onTokens;
    this.#notified = options.store.read();
    this.#store.onChange?.((tokens) => this.#notify(tokens));
  }

  get tokens(): Tokens | null {
    return this.#store.read();
  }

  /** Whether the account is a bot's. */
  get isBot(): boolean {
    return this.#botToken !== null;
  }

  /** Number of the current session; it changes with every login and logout, after which the user may be another one. */
  get session(): number {
    return this.#session;
  }

  /** Begins another session, or none. */
  begin(tokens: Tokens | null): void {
    this.#session += 1;
    this.#keep(tokens);
  }

  /**
   * Keeps the tokens of an answer that ended the former ones, unless another session has begun since the request. A
   * refusal of the former ones does not end the session until the answer is there, in no client of the store, so the
   * request for it must not renew tokens itself.
   */
  async replace(answer: Promise<Tokens>): Promise<void> {
    const session = this.#session;
    this.#store.announceReplacement?.(Date.now() + replacementMsMax);
    const replaced = answer
      .then((tokens) => {
        if (this.#session === session) this.#keep(tokens);
      })
      .finally(() => this.#store.announceReplacement?.(null));
    this.#replacement = replaced.catch(() => undefined);
    await replaced;
  }

  /** The header `Authorization`, or null. */
  header(): string | null {
    if (this.#botToken !== null) return `Bot ${this.#botToken}`;
    const { tokens } = this;
    return tokens === null ? null : `Bearer ${tokens.accessToken}`;
  }

  /**
   * Replaces a header that was refused; requests that fail together share one refresh, and use the tokens that another
   * client of the store has renewed, because a refresh token that is presented late again ends the session.
   *
   * @returns false when the session has ended
   */
  async renew(refused: string | null): Promise<boolean> {
    if (this.#botToken !== null || this.tokens === null) return false;
    this.#renewal ??= this.#refresh(refused).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /**
   * The token for the query of the gateway.
   *
   * @param isRefused whether the one before was, or may have been
   * @throws ParleyError 401 when there is none any more
   */
  async gatewayToken(isRefused: boolean): Promise<string> {
    if (this.#botToken !== null) {
      if (this.#botAccessToken === null || isRefused) this.#botAccessToken = await this.#connectBot(this.#botToken);
      return this.#botAccessToken;
    }
    if (isRefused) await this.renew(this.#gatewayHeader);
    // The server would refuse it, and a WebSocket learns that only by a second request.
    else if (this.tokens !== null && hasExpired(this.tokens.accessToken)) await this.renew(this.header());
    const { tokens } = this;
    if (tokens === null) throw new ParleyError({ status: 401, code: "not_logged_in", text: "Not logged in" });
    this.#gatewayHeader = this.header();
    return tokens.accessToken;
  }

  #keep(tokens: Tokens | null, refusal?: ParleyError): void {
    this.#store.write(tokens);
    this.#notify(tokens, refusal);
  }

  /** Two clients of a store may notice the same end of a session, each by itself and from the other. */
  #notify(tokens: Tokens | null, refusal?: ParleyError): void {
    const isKnown =
      this.#notified?.accessToken === tokens?.accessToken && this.#notified?.refreshToken === tokens?.refreshToken;
    if (isKnown) return;
    this.#notified = tokens;
    if (refusal === undefined) this.#onTokens(tokens);
    else this.#onTokens(tokens, refusal);
  }

  async #refresh(refused: string | null): Promise<boolean> {
    const { tokens } = this;
    if (tokens === null) return false;
    if (this.header() !== refused) return true;
    const { refreshToken } = tokens;
    const body = JSON.stringify({ refresh_token: refreshToken });
    const { request, response } = await this.#send("/auth/refresh", { body });
    if (!response.ok && ![400, 401, 403].includes(response.status)) throw await readError(response, request);
    // A login or logout since the request wins.
    const isCurrent = () => this.tokens?.refreshToken === refreshToken;
    if (!response.ok) {
      const refusal = await readError(response, request);
      await this.#replacement;
      // Both clocks: the one that clients share may be set back meanwhile.
      const deadline = performance.now() + replacementMsMax;
      while (isCurrent() && (this.#store.replacementUntil?.() ?? 0) > Date.now() && performance.now() < deadline) {
        await pause(replacementPollMs, undefined);
      }
      if (isCurrent()) this.#keep(null, refusal);
    } else {
      const { access_token = "", refresh_token = "" } = readTexts(await readJson(response, request));
      if (isCurrent()) this.#keep({ accessToken: access_token, refreshToken: refresh_token });
    }
    return this.tokens !== null;
  }

  async #connectBot(token: string): Promise<string> {
    const headers = { authorization: `Bot ${token}` };
    const { request, response } = await this.#send("/bots/connect", { headers, body: "{}" });
    if (!response.ok) throw await readError(response, request);
    return readTexts(await readJson(response, request)).access_token ?? "";
  }
}

function readTexts(body: unknown): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(Object(body)).map(([key, value]) => [key, String(value)]));
}
