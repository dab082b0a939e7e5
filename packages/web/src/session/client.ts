import { createBrowserTokenStore, createClient, type ParleyClient } from "@parley/client";

/** A client of the page's own origin; its session is that of all tabs and outlives a reload. */
export function openClient(onSessionEnd: () => void): ParleyClient {
  return createClient({
    baseUrl: location.origin,
    tokenStore: createBrowserTokenStore(),
    onTokens: (tokens) => {
      if (tokens === null) onSessionEnd();
    },
  });
}
