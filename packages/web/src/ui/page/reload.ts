import { reloadedVersion } from "../../device/device-storage.js";

/** Reasons why the page is not to be left: things that would be lost. */
const reasons = new Set<symbol>();
/** Actions that wait until there is no reason any more. */
const waiting = new Set<() => void>();
/** The address of this script, which is another one in each version. */
const version = import.meta.url;

/** Keeps the page from loading itself again until the function that is returned is called. */
export function holdPage(): () => void {
  const reason = Symbol("hold");
  reasons.add(reason);
  return () => {
    reasons.delete(reason);
    if (reasons.size > 0) return;
    for (const action of waiting) action();
    waiting.clear();
  };
}

/** Calls the action as soon as nothing would be lost by leaving the page. */
export function whenFree(action: () => void): void {
  if (reasons.size === 0) action();
  else waiting.add(action);
}

/** Number of parts of the page that leaving would lose. */
let losses = 0;
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * Makes the browser ask before the page is left, until the function that is returned is called. Also holds the page.
 */
export function askBeforeLeaving(): () => void {
  const release = holdPage();
  // Browsers keep a page without the listener for the way back.
  if (losses === 0) addEventListener("beforeunload", ask);
  losses += 1;
  return () => {
    release();
    losses -= 1;
    if (losses === 0) removeEventListener("beforeunload", ask);
  };
}

/** Whether the server answers: a page that is left without one is lost. */
export const isServerThere = (): Promise<boolean> =>
  fetch(import.meta.env.BASE_URL, { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Loads the page again, for the files of a newer version. Not when something would be lost, and once for each version: a
 * page that lacks a file for good stays as it is.
 *
 * @returns whether it does
 */
export function reloadForNewVersion(): boolean {
  if (reasons.size > 0 || reloadedVersion.read() === version) return false;
  reloadedVersion.write(version);
  location.reload();
  return true;
}
