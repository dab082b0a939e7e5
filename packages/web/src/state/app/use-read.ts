import { useEffect, useRef } from "react";
import { useAppState } from "./use-app.js";

/**
 * Reads data that READY does not contain: when a component appears, whenever `read` changes (so callers memoise it),
 * and again after each READY, which means that events were missed. A failed read is repeated when the connection is
 * back. The first read waits for the first READY.
 */
export function useRead(read: () => Promise<unknown>): void {
  const readyCount = useAppState((state) => state.readyCount);
  const connection = useAppState((state) => state.connection);
  const done = useRef<{ read: () => Promise<unknown>; readyCount: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed read is repeated when the connection changes.
  useEffect(() => {
    if (readyCount === 0 || (done.current?.read === read && done.current.readyCount === readyCount)) return;
    read().then(
      () => {
        done.current = { read, readyCount };
      },
      () => undefined,
    );
  }, [read, readyCount, connection]);
}
