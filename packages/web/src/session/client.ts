import { createClient, type ParleyClient, type Tokens } from "@parley/client";

const storageKey = "parley.tokens";

/** A client on the page's own origin, with the tokens of an earlier visit if there are any. */
export function openClient(onSessionEnd: () => void): ParleyClient {
  const tokens = readTokens();
  return createClient({
    baseUrl: `${location.origin}/api`,
    ...(tokens === null ? {} : { tokens }),
    onTokens: (next) => {
      keepTokens(next);
      if (next === null) onSessionEnd();
    },
  });
}

function readTokens(): Tokens | null {
  const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "null");
  return isTokens(stored) ? stored : null;
}

function keepTokens(tokens: Tokens | null): void {
  if (tokens === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, JSON.stringify(tokens));
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
