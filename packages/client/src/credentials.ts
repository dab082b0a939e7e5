import { ParleyError, readError } from "./error.js";

/** The pair of tokens of a login. */
export interface Tokens {
  /** For requests; valid for 15 minutes. */
  readonly accessToken: string;
  /** For the next pair; valid for 7 days, once. */
  readonly refreshToken: string;
}

/** Sends a request without credentials of its own choice. */
export type SendBare = (path: string, init: { headers?: Record<string, string>; body?: string }) => Promise<Response>;

/** Who the client acts as. */
export class Credentials {
  #tokens: Tokens | null;
  readonly #botToken: string | null;
  #botAccessToken: string | null = null;
  #renewal: Promise<boolean> | null = null;
  readonly #send: SendBare;
  readonly #onTokens: (tokens: Tokens | null) => void;

  constructor(options: {
    tokens: Tokens | null;
    botToken: string | null;
    send: SendBare;
    onTokens: (tokens: Tokens | null) => void;
  }) {
    this.#tokens = options.tokens;
    this.#botToken = options.botToken;
    this.#send = options.send;
    this.#onTokens = options.onTokens;
  }

  get tokens(): Tokens | null {
    return this.#tokens;
  }

  set(tokens: Tokens | null): void {
    this.#tokens = tokens;
    this.#onTokens(tokens);
  }

  /** The header `Authorization`, or null. */
  header(): string | null {
    if (this.#botToken !== null) return `Bot ${this.#botToken}`;
    return this.#tokens === null ? null : `Bearer ${this.#tokens.accessToken}`;
  }

  /**
   * Replaces a header that was refused; requests that fail together share one refresh, because a refresh token is to be
   * used once.
   *
   * @returns false when the session is over
   */
  async renew(refused: string | null): Promise<boolean> {
    if (this.#botToken !== null || this.#tokens === null) return false;
    if (this.header() !== refused) return true;
    this.#renewal ??= this.#refresh(this.#tokens).finally(() => {
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
    if (isRefused && !(await this.renew(this.header()))) this.set(null);
    if (this.#tokens === null) throw new ParleyError({ status: 401, code: "Not logged in" });
    return this.#tokens.accessToken;
  }

  async #refresh({ refreshToken }: Tokens): Promise<boolean> {
    const response = await this.#send("/auth/refresh", { body: JSON.stringify({ refresh_token: refreshToken }) });
    if (response.ok) {
      const { access_token, refresh_token } = readTexts(await response.json());
      this.set({ accessToken: access_token ?? "", refreshToken: refresh_token ?? "" });
      return true;
    }
    if (![400, 401, 403].includes(response.status)) throw await readError(response);
    this.set(null);
    return false;
  }

  async #connectBot(token: string): Promise<string> {
    const response = await this.#send("/bots/connect", { headers: { authorization: `Bot ${token}` }, body: "{}" });
    if (!response.ok) throw await readError(response);
    return readTexts(await response.json()).access_token ?? "";
  }
}

function readTexts(body: unknown): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(Object(body)).map(([key, value]) => [key, String(value)]));
}
