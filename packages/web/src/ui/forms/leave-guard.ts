import { useSyncExternalStore } from "react";
import type { AroundNavHandler, BaseLocationHook } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";

/** Asks before the present screen is left; `go` leaves it. */
type Ask = (go: () => void) => void;

/** The present screen stays, whatever the browser's own back does, until the user may leave it. */
let guard: { ask: Ask; path: string } | null = null;
const listeners = new Set<() => void>();

function setGuard(next: typeof guard): void {
  guard = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Has `ask` decide about every way to another address, the browser's own back included, until the function that is returned
 * is called. One at a time.
 */
export function guardLeaving(ask: Ask): () => void {
  const { href, pathname } = location;
  setGuard({ ask, path: pathname });
  const onBack = () => {
    // This address again, with the one that was wanted below it.
    history.pushState(null, "", href);
    ask(() => history.back());
  };
  addEventListener("popstate", onBack);
  return () => {
    setGuard(null);
    removeEventListener("popstate", onBack);
  };
}

/** For the router: the address of the present screen. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [path, navigate] = useBrowserLocation();
  const held = useSyncExternalStore(listen, () => guard?.path);
  return [held ?? path, navigate];
};

/** For the router. A replaced address is no choice of the person. */
export const guardedNavigation: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (guard !== null && options?.replace !== true) return guard.ask(go);
  setGuard(null);
  go();
};
