/** The pair of tokens of a login. */
export interface Tokens {
  /** For requests; valid for 15 minutes. */
  readonly accessToken: string;
  /** For the next pair; valid for 7 days, once. */
  readonly refreshToken: string;
}

/**
 * Keeps the tokens of a session. Clients with the same store, such as those of a browser's tabs, share the session: all
 * use the tokens that one of them renews.
 */
export interface TokenStore {
  /** The present tokens; null without a session. */
  read(): Tokens | null;
  /** Keeps tokens, or nothing. */
  write(tokens: Tokens | null): void;
  /** Calls `listener` when another client has written. */
  onChange?(listener: (tokens: Tokens | null) => void): void;
  /**
   * Announces to the other clients of the store that this one waits for an answer with new tokens, as after a change of
   * the password, and until when at most (milliseconds since the epoch); null when the wait has ended, after the new
   * tokens have been written.
   */
  announceReplacement?(until: number | null): void;
  /** The last announcement of a client; null for none. */
  replacementUntil?(): number | null;
}

/** Keeps tokens in memory, for one client. */
export function createMemoryTokenStore(tokens: Tokens | null): TokenStore {
  let kept = tokens;
  return {
    read: () => kept,
    write(next) {
      kept = next;
    },
  };
}

/**
 * Keeps tokens in the browser's localStorage, so that they outlive a reload and all tabs of an origin share one
 * session. Tabs that renew at the same time get the same pair of the server, which takes a refresh token again within a
 * minute. (A lock would not prevent that: other processes see a write into localStorage a little later.)
 *
 * @param key of localStorage; sessions with different keys are independent. A second entry, `<key>.replacement`, has
 * the time until which new tokens are awaited
 */
export function createBrowserTokenStore(key = "parley.tokens"): TokenStore {
  const scope: object = globalThis;
  if (!isBrowser(scope)) throw new Error("There is no localStorage here.");
  const { localStorage } = scope;
  const replacementKey = `${key}.replacement`;
  const parse = (text: string | null): Tokens | null => {
    try {
      const stored: unknown = JSON.parse(text ?? "null");
      return isTokens(stored) ? stored : null;
    } catch {
      return null;
    }
  };
  return {
    read: () => parse(localStorage.getItem(key)),
    write(tokens) {
      if (tokens === null) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(tokens));
    },
    onChange(listener) {
      // Comes to the other tabs only. Without a key all of localStorage was cleared.
      scope.addEventListener("storage", (event) => {
        if (event.key === key || event.key === null) listener(parse(event.newValue));
      });
    },
    announceReplacement(until) {
      if (until === null) localStorage.removeItem(replacementKey);
      else localStorage.setItem(replacementKey, String(until));
    },
    replacementUntil: () => Number(localStorage.getItem(replacementKey)) || null,
  };
}

/** The parts of a page that this uses. */
interface Browser {
  readonly localStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  addEventListener(
    type: "storage",
    listener: (event: { readonly key: string | null; readonly newValue: string | null }) => void,
  ): void;
}

function isBrowser(scope: object): scope is Browser {
  return "localStorage" in scope && "addEventListener" in scope;
}

function isTokens(value: unknown): value is Tokens {
  return (
    typeof value === "object" &&
    value !== null &&
    "accessToken" in value &&
    typeof value.accessToken === "string" &&
    "refreshToken" in value &&
    typeof value.refreshToken === "string"
  );
}
