import type { AppStore } from "../store/app-store.js";

/**
 * A clock, in milliseconds, that stands still while the page has no connection: events of that time arrive after it.
 */
export function createConnectedTime(store: AppStore): () => number {
  let elapsed = 0;
  let since: number | null = null;
  store.subscribe(({ connection }) => {
    if (connection === "connected") since ??= performance.now();
    else if (since !== null) {
      elapsed += performance.now() - since;
      since = null;
    }
  });
  return () => elapsed + (since === null ? 0 : performance.now() - since);
}
