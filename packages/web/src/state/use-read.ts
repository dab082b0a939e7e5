import { useEffect, useRef } from "react";
import { usePageState } from "./use-page.js";

/**
 * Reads what READY does not contain: when a component appears, whenever `read` changes (so callers memoise it), and
 * again after each READY, which means that events were missed. A failed read is repeated when the connection is back.
 * The first read waits for the first READY.
 */
export function useRead(read: () => Promise<unknown>): void {
  const readies = usePageState((state) => state.readies);
  const connection = usePageState((state) => state.connection);
  const done = useRef<{ read: () => Promise<unknown>; readies: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed read is repeated when the connection changes.
  useEffect(() => {
    if (readies === 0 || (done.current?.read === read && done.current.readies === readies)) return;
    read().then(
      () => {
        done.current = { read, readies };
      },
      () => undefined,
    );
  }, [read, readies, connection]);
}
