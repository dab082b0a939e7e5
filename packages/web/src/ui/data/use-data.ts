import { ParleyError } from "@parley/client";
import { useCallback, useEffect, useRef, useState } from "react";

/** Data that a screen reads from the server. */
export interface Data<Value> {
  /** Null until it is there. */
  value: Value | null;
  error: unknown;
  /** Reads again; the old value stays meanwhile. Resolves when the value is new, or could not be read. */
  reload: () => Promise<void>;
  /**
   * Changes the value, after a request that changed it at the server. A read under way begins anew, because its answer
   * may be older than the change.
   */
  set: (change: (value: Value) => Value) => void;
  /**
   * Adds the result of `read`, such as the next page; nothing if the data were read again meanwhile. Where the server
   * does not know the end of the list any more, because its last entry is gone, the list is read from its beginning.
   */
  extend: (read: () => Promise<(value: Value) => Value>) => Promise<void>;
}

/**
 * Reads something when a component appears and whenever `read` changes, so callers memoise it. An answer that is
 * overtaken by a later one is dropped.
 */
export function useData<Value>(read: (signal: AbortSignal) => Promise<Value>): Data<Value> {
  const [state, setState] = useState<{ value: Value | null; error: unknown }>({ value: null, error: null });
  const latest = useRef(read);
  /** The last read, and whether it is under way. */
  const last = useRef({ stop: new AbortController(), isUnderWay: false });
  const reload = useCallback(async () => {
    last.current.stop.abort();
    const current = { stop: new AbortController(), isUnderWay: true };
    last.current = current;
    const { signal } = current.stop;
    try {
      const value = await latest.current(signal);
      if (!signal.aborted) setState({ value, error: null });
    } catch (error) {
      if (!signal.aborted) setState(({ value }) => ({ value, error }));
    } finally {
      current.isUnderWay = false;
    }
  }, []);
  useEffect(() => {
    latest.current = read;
    void reload();
    return () => last.current.stop.abort();
  }, [read, reload]);
  const change = useCallback(
    (next: (value: Value) => Value) =>
      setState(({ value, error }) => ({ value: value === null ? null : next(value), error })),
    [],
  );
  const set = useCallback(
    (next: (value: Value) => Value) => {
      change(next);
      if (last.current.isUnderWay) void reload();
    },
    [change, reload],
  );
  const extend = useCallback(
    async (readMore: () => Promise<(value: Value) => Value>) => {
      const before = last.current;
      const next = await readMore().catch(nullIfLost);
      if (last.current !== before) return;
      if (next === null) await reload();
      else change(next);
    },
    [change, reload],
  );
  return { ...state, reload, set, extend };
}

/** A page refuses a cursor that is lost with 400 (docs/protocol/requests.md#1.5). */
function nullIfLost(error: unknown): null {
  if (error instanceof ParleyError && error.status === 400) return null;
  throw error;
}
