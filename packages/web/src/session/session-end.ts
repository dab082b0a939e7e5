import { useSyncExternalStore } from "react";

/** Why the last session ended without a logout: its end elsewhere or by time, or the account is disabled. */
export type SessionEnd = "ended" | "disabled";

const storageKey = "parley.ended";

/** Stores why the session ended, for all tabs and through reloads; null once another one begins. */
export function keepSessionEnd(end: SessionEnd | null): void {
  if (end === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, end);
}

/** Why the last session ended; null after a logout. Another tab may be the one that learns it. */
export function useSessionEnd(): SessionEnd | null {
  return useSyncExternalStore(follow, () => {
    const kept = localStorage.getItem(storageKey);
    return kept === "ended" || kept === "disabled" ? kept : null;
  });
}

function follow(onChange: () => void): () => void {
  addEventListener("storage", onChange);
  return () => removeEventListener("storage", onChange);
}
