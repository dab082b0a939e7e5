import type { PageStore } from "./page-store.js";

/**
 * A clock of the time, in milliseconds, during which there was a connection: events of the time without one arrive
 * after it.
 */
export function createConnectedTime(store: PageStore): () => number {
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
