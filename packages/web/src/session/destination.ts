import { useLocation, useSearch } from "wouter";

const isEntrance = (path: string): boolean => /^\/(?:login|register|reset-password)$/.test(path);

/** Where somebody wanted to go, and whether they are still on the way in. */
interface Destination {
  /** Whether the page is one of those that only a person without a session needs. */
  isAtEntrance: boolean;
  /** Path below the base that the person came for; null for the start. */
  wanted: string | null;
}

/**
 * Reads the destination from the address, which keeps it through reloads and from one form to the next: the query `to` of the
 * login, the registration and the reset, and the path itself of every other page.
 */
export function useDestination(): Destination {
  const [path] = useLocation();
  const to = new URLSearchParams(useSearch()).get("to");
  if (!isEntrance(path)) return { isAtEntrance: false, wanted: path === "/" ? null : path };
  return { isAtEntrance: true, wanted: to?.startsWith("/") ? to : null };
}

/** The path of an entrance that leads on to a destination. */
export const entrance = (path: "/login" | "/register" | "/reset-password", wanted: string | null): string =>
  wanted === null ? path : `${path}?to=${encodeURIComponent(wanted)}`;

/** The code of the invite that a path leads to; null for other paths. */
export const invitedWith = (path: string | null): string | null =>
  /^\/invite\/([A-Za-z0-9]+)$/.exec(path ?? "")?.[1] ?? null;
