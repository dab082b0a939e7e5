import type { DispatchEvents } from "@parley/client";
import { useCallback, useEffect, useRef } from "react";
import { type Action, useAction } from "../../ui/data/use-action.js";
import { type Data, useData } from "../../ui/data/use-data.js";
import { useApp, useAppState } from "./use-app.js";

/** Items of a page, and most of one request. */
export const pageSize = 25;
const readMax = 100;
/** Several events within this time have the list read once. */
const waitMs = 300;

/** A list in pages that the page shows and does not keep. */
export interface EventPages<Item> {
  data: Data<Item[]>;
  /** Reads the page after the last item. */
  more: Action<[last: Item]>;
}

/**
 * Reads a list in pages, and reads it again after events that may change it, and after each READY.
 *
 * @param read reads up to `limit` items, those after an item with `before`; memoised by callers
 * @param events names of the events; memoised by callers
 * @param idOf the cursor after an item
 */
export function useEventPages<Item>(
  read: (query: { limit: number; before?: string }, signal?: AbortSignal) => Promise<Item[]>,
  events: readonly (keyof DispatchEvents)[],
  idOf: (item: Item) => string,
): EventPages<Item> {
  const { gateway } = useApp();
  const readyCount = useAppState((state) => state.readyCount);
  const shown = useRef(0);
  const data = useData(
    // biome-ignore lint/correctness/useExhaustiveDependencies: after a READY the list is read again.
    useCallback(
      (signal: AbortSignal) => read({ limit: Math.min(readMax, Math.max(pageSize, shown.current)) }, signal),
      [read, readyCount],
    ),
  );
  shown.current = data.value?.length ?? 0;
  const { reload } = data;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void reload();
      }, waitMs);
    };
    const undo = events.map((name) => gateway.on(name, changed));
    return () => {
      clearTimeout(timer);
      for (const step of undo) step();
    };
  }, [gateway, events, reload]);
  const more = useAction((last: Item) =>
    data.extend(async () => {
      const page = await read({ limit: pageSize, before: idOf(last) });
      return (items) => [...items, ...page];
    }),
  );
  return { data, more };
}
