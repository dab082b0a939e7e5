import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { VList, type VListHandle } from "virtua";
import type { Tone } from "../../device/schemas.js";
import { direction, texts } from "../../texts/texts.js";
import { useMedia } from "../../ui/look/use-media.js";
import styles from "./emoji-picker.module.css";
import type { Emoji } from "./emoji-set.js";
import { type Cell, moved } from "./grid-moves.js";
import { GridRow } from "./grid-row.js";
import { type Row, rowsOf, type Section, type SectionId } from "./sections.js";

export interface EmojiGridHandle {
  /** Focuses the emoji that was focused last, or the first one. */
  focus: () => void;
  /** Scrolls to a section. */
  show: (section: SectionId) => void;
}

const cellPx = 36;
const touchCellPx = 44;

/** The emoji in rows; only the visible rows exist, and one emoji is in the tab order. */
export function EmojiGrid({
  ref,
  sections,
  tone,
  onPick,
  onSection,
  onLeave,
}: {
  ref: Ref<EmojiGridHandle>;
  sections: readonly Section[];
  tone: Tone;
  onPick: (emoji: Emoji) => void;
  /** Is called with the section that is at the top. */
  onSection: (section: SectionId | null) => void;
  /** Is called where a key leads out of the grid at its top, and where something is typed. */
  onLeave: () => void;
}) {
  const { frame, columns } = useColumns();
  const list = useRef<VListHandle>(null);
  const rows = useMemo(() => (columns === 0 ? [] : rowsOf(sections, columns)), [sections, columns]);
  const { active, kept, focus, leave } = useActiveCell(rows, frame, list);
  const look = useCallback(() => {
    const { current } = list;
    onSection(current === null ? null : (rows[current.findItemIndex(current.scrollOffset)]?.section ?? null));
  }, [rows, onSection]);
  useLayoutEffect(() => {
    // Other rows begin at their first one.
    list.current?.scrollTo(0);
    look();
  }, [look]);
  useImperativeHandle(ref, () => ({
    focus: () => focus(active),
    show: (section) => list.current?.scrollToIndex(rows.findIndex((row) => row.section === section)),
  }));
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const isTyped = event.key.length === 1 && event.key !== " " && !event.ctrlKey;
    const next = isTyped ? null : moved(rows.map(lengthOf), active, event, direction);
    if (next === undefined) return;
    if (next === null) {
      leave();
      onLeave();
    } else focus(next);
    // A typed character goes into the field that has the focus now.
    if (!isTyped) event.preventDefault();
  };
  return (
    <div ref={frame} className={styles.frame} style={{ "--columns": columns }}>
      <VList
        ref={list}
        role="grid"
        aria-label={texts.conversation.emoji}
        aria-rowcount={rows.length}
        className={styles.list}
        data={rows}
        keepMounted={kept}
        onScroll={look}
        onKeyDown={onKey}
        tabIndex={-1}
      >
        {(row: Row, index: number) => (
          <GridRow
            key={`${row.section} ${index}`}
            row={row}
            index={index}
            activeColumn={index === active.row ? active.column : null}
            tone={tone}
            onPick={onPick}
            onFocus={focus}
          />
        )}
      </VList>
    </div>
  );
}

const lengthOf = (row: Row): number => (row.kind === "title" ? 0 : row.emojis.length);

/** The one emoji that has the focus, or gets it, and the rows that have to exist for that. */
function useActiveCell(
  rows: readonly Row[],
  frame: { readonly current: HTMLElement | null },
  list: { readonly current: VListHandle | null },
): {
  active: Cell;
  kept: readonly number[];
  focus: (cell: Cell) => void;
  /** Ends the wait for an emoji that is to be focused. */
  leave: () => void;
} {
  const [chosen, setChosen] = useState<{ rows: readonly Row[]; cell: Cell; before: Cell } | null>(null);
  const isWanted = useRef(false);
  // Other rows have other emoji, so the choice begins anew with them.
  const { cell: active, before } =
    chosen?.rows === rows
      ? chosen
      : { cell: { row: rows.findIndex((row) => row.kind === "emojis"), column: 0 }, before: null };
  const { row: activeRow, column: activeColumn } = active;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another column is another button
  useLayoutEffect(() => {
    let request = 0;
    const tryToFocus = () => {
      if (!isWanted.current) return;
      const button = frame.current?.querySelector<HTMLElement>('[role="gridcell"] > [tabindex="0"]');
      button?.focus({ preventScroll: true });
      if (button != null && document.activeElement === button) {
        isWanted.current = false;
        list.current?.scrollToIndex(activeRow, { align: "nearest" });
        return;
      }
      // The list hides a row until it has measured it, and there are no rows before the width was measured.
      request = requestAnimationFrame(tryToFocus);
    };
    tryToFocus();
    return () => cancelAnimationFrame(request);
  }, [chosen, rows, activeRow, activeColumn, frame, list]);
  const focus = (cell: Cell) => {
    isWanted.current = true;
    setChosen({ rows, cell, before: active });
  };
  const leave = () => {
    isWanted.current = false;
  };
  // The row that has the focus until the next one can have it.
  const kept = [...new Set([active.row, before?.row ?? active.row])].filter((row) => row in rows);
  return { active, kept, focus, leave };
}

/** How many emoji fit beside each other; 0 until that was measured. */
function useColumns() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const size = useMedia("(pointer: coarse)") ? touchCellPx : cellPx;
  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { frame, columns: Math.floor(width / size) };
}
