/** Reasons why the page is not to be left: what would be lost. */
const reasons = new Set<symbol>();
const reloadedKey = "parley.reloaded";
/** The address of the first script, which is another one in each version. */
const version = () => document.querySelector<HTMLScriptElement>("script[src]")?.src ?? "";

/** Keeps the page from loading itself again until the function that is returned is called. */
export function holdPage(): () => void {
  const reason = Symbol("hold");
  reasons.add(reason);
  return () => void reasons.delete(reason);
}

/**
 * Loads the page again, for the files of a newer version. Not when something would be lost or the server is out of reach,
 * and once for each version: a page that lacks a file for good stays as it is.
 *
 * @returns whether it does
 */
export async function reloadForNewVersion(): Promise<boolean> {
  if (reasons.size > 0 || sessionStorage.getItem(reloadedKey) === version()) return false;
  const isThere = await fetch(import.meta.env.BASE_URL, { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere || reasons.size > 0) return false;
  sessionStorage.setItem(reloadedKey, version());
  location.reload();
  return true;
}
