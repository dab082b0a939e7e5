import { type ReactNode, useCallback, useState } from "react";
import { explain } from "./explain.js";

/** An action that the user starts: whether it is under way, and its last failure. */
export interface Action<Args extends readonly unknown[]> {
  run: (...args: Args) => Promise<boolean>;
  isBusy: boolean;
  error: ReactNode;
  clear: () => void;
}

/** Wraps a request for a button or form. `run` never rejects; it resolves with whether the request succeeded. */
export function useAction<Args extends readonly unknown[]>(send: (...args: Args) => Promise<unknown>): Action<Args> {
  const [underWay, setUnderWay] = useState(0);
  const [error, setError] = useState<ReactNode>(null);
  const run = useCallback(
    async (...args: Args) => {
      setUnderWay((count) => count + 1);
      setError(null);
      try {
        await send(...args);
        return true;
      } catch (failure) {
        setError(explain(failure));
        return false;
      } finally {
        setUnderWay((count) => count - 1);
      }
    },
    [send],
  );
  const clear = useCallback(() => setError(null), []);
  return { run, isBusy: underWay > 0, error, clear };
}
