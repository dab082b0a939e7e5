import { useCallback, useEffect, useState } from "react";

/** What a screen reads from the server. */
export interface Data<Value> {
  /** Null until it is there. */
  value: Value | null;
  error: unknown;
  /** Reads again; the old value stays meanwhile. */
  reload: () => void;
  /** Changes what is shown, after a request that changed it at the server. */
  set: (change: (value: Value) => Value) => void;
}

/**
 * Reads something when a component appears and whenever `read` changes, so callers memoise it. An answer that is
 * overtaken by a later one is dropped.
 */
export function useData<Value>(read: (signal: AbortSignal) => Promise<Value>): Data<Value> {
  const [state, setState] = useState<{ value: Value | null; error: unknown }>({ value: null, error: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads again.
  useEffect(() => {
    const stop = new AbortController();
    read(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value, error: null }),
      (error: unknown) => stop.signal.aborted || setState(({ value }) => ({ value, error })),
    );
    return () => stop.abort();
  }, [read, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const set = useCallback(
    (change: (value: Value) => Value) =>
      setState(({ value, error }) => ({ value: value === null ? null : change(value), error })),
    [],
  );
  return { ...state, reload, set };
}
