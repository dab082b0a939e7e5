import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../message/rows.js";

/**
 * The anchor stays in place while rows are added, measured and grow: the end of the list, or a row at a place in the
 * view.
 */
export type Anchor =
  | { kind: "end" }
  | { kind: "row"; key: string; align: "start" | "center" /** In pixels. */; offset: number };

const end: Anchor = { kind: "end" };
/** The end counts as seen when it is at most this far below the view, in pixels. */
const endTolerancePx = 40;
/** Rows that fill a view, as far as one can tell before they have been measured. */
const firstRows = 10;
/** A scroll event this soon after an input, in milliseconds, is taken for the reader's. */
const inputMs = 300;

/**
 * Keeps a virtual list at its anchor until the reader scrolls, and follows rows that are added at the end while the end
 * is in view.
 *
 * All decisions use the positions on the screen. The sizes and offsets of the virtual list itself are estimates until rows
 * are measured, and disagree with each other while it corrects its scroll offset.
 *
 * @param begin anchor of the first layout
 */
export function useListPosition(rows: readonly Row[], hasNewer: boolean, begin: Anchor) {
  const list = useRef<VirtualizerHandle>(null);
  const frame = useRef<HTMLDivElement>(null);
  const lastRow = useRef<HTMLDivElement>(null);
  /** Null once the reader has scrolled away from it. */
  const anchor = useRef<Anchor | null>(begin);
  const [isAtEnd, setAtEnd] = useState(begin.kind === "end");
  const seen = useRef({ top: 0, content: 0, view: 0 });
  const [first, setFirst] = useState<readonly number[] | undefined>(() => rowsAround(begin, rows));
  const inputAt = useRef(Number.NEGATIVE_INFINITY);
  /** Whether the next scroll event may be of a scroll to the anchor, which waits for measurements. */
  const isKeeping = useRef(false);

  const keep = useCallback(() => {
    const held = anchor.current;
    if (held === null) return;
    if (held.kind === "end") list.current?.scrollToIndex(rows.length - 1, { align: "end" });
    else {
      const index = rows.findIndex(({ key }) => key === held.key);
      if (index !== -1) list.current?.scrollToIndex(index, { align: held.align, offset: held.offset });
    }
    isKeeping.current = true;
    if (frame.current !== null) seen.current = measure(frame.current);
  }, [rows]);

  const look = useCallback(() => {
    if (frame.current === null) return;
    const before = seen.current;
    const now = measure(frame.current);
    seen.current = now;
    const isEndSeen = !hasNewer && isSeen(lastRow.current, frame.current);
    const hasResized = now.content !== before.content || now.view !== before.view;
    const hasInput = performance.now() - inputAt.current < inputMs;
    // Without an input it may be a search in the page, or a screen reader.
    const isByReader = now.top !== before.top && (hasInput || !(hasResized || isKeeping.current));
    if (isByReader) anchor.current = isEndSeen && now.top > before.top ? end : null;
    setAtEnd(isEndSeen || anchor.current?.kind === "end");
  }, [hasNewer]);

  const hold = useCallback(
    (next: Anchor) => {
      anchor.current = next;
      keep();
      look();
    },
    [keep, look],
  );

  const lastKey = rows.at(-1)?.key;
  const before = useRef({ lastKey, count: rows.length });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for changed rows only.
  useLayoutEffect(() => {
    const isOther = before.current.lastKey !== lastKey;
    const isLonger = before.current.count < rows.length;
    before.current = { lastKey, count: rows.length };
    if (isOther && isAtEnd && !hasNewer && anchor.current !== null) anchor.current = end;
    // Once the list has measured the new row it calls `resized`, before anything is drawn: until then it is hidden.
    if (isOther && isLonger && anchor.current === end) return;
    keep();
  }, [keep]);

  const sawInput = useCallback(() => {
    inputAt.current = performance.now();
  }, []);

  return {
    list,
    frame,
    lastRow,
    /** Indexes of the rows that are there before the list knows its height, rendered with it and not when it does. */
    first,
    /** Whether the newest row is in view, or the list is on its way there. */
    isAtEnd,
    /** Gives the list another anchor. */
    hold,
    /** To be called for each scroll event of the list. */
    scrolled: useCallback(() => {
      look();
      isKeeping.current = false;
    }, [look]),
    /** To be called when rows or the view have another size. */
    resized: useCallback(() => {
      setFirst(undefined);
      keep();
      look();
    }, [keep, look]),
    /** To be called when scrolling has ended: a reader who stopped just above the end has not left it. */
    rested: useCallback(() => {
      if (frame.current === null || hasNewer || !isSeen(lastRow.current, frame.current)) return;
      anchor.current ??= end;
      setAtEnd(true);
    }, [hasNewer]),
    /** Inputs of the list's frame by which readers scroll. */
    inputs: { onWheel: sawInput, onTouchMove: sawInput, onKeyDown: sawInput, onPointerDown: sawInput },
  };
}

/** Indexes of the rows that are seen first. */
function rowsAround(anchor: Anchor, rows: readonly Row[]): readonly number[] {
  const end = anchor.kind === "end" ? rows.length : rows.findIndex(({ key }) => key === anchor.key) + firstRows - 1;
  const from = Math.max(0, Math.min(end, rows.length) - firstRows);
  return Array.from({ length: Math.min(firstRows, rows.length) }, (_, index) => from + index);
}

const measure = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => ({
  top: scrollTop,
  content: scrollHeight,
  view: clientHeight,
});

/** Whether the end of a row is in view. A row without a measured height is hidden, and may be anywhere. */
function isSeen(row: HTMLElement | null, frame: HTMLElement): boolean {
  if (row === null || frame.clientHeight === 0 || getComputedStyle(row).visibility === "hidden") return false;
  return row.getBoundingClientRect().bottom - frame.getBoundingClientRect().bottom < endTolerancePx;
}
