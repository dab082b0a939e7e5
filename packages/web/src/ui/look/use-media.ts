import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = listOf(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

/** Whether the screen is as narrow as a telephone's. */
export const useIsNarrow = (): boolean => useMedia("(max-width: 760px)");

const lists = new Map<string, MediaQueryList>();

/** One list for each query: each message asks at every rendering, and a new list takes longer than the rest of it. */
function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query);
  lists.set(query, list);
  return list;
}
