import { type ComponentProps, type ReactElement, type ReactNode, type RefObject, useState } from "react";
import { Virtualizer } from "virtua";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import type { AppRow as LoadedAppRow } from "../message/embeds/app-rows.js";
import { MessageItem } from "../message/message-item.js";
import { PendingItem } from "../message/pending-item.js";
import type { Row } from "../message/rows.js";
import styles from "./row-list.module.css";
import type { useListPosition } from "./use-list-position.js";

const AppRow = lazyPart<ComponentProps<typeof LoadedAppRow>>(
  async () => (await import("../message/embeds/app-rows.js")).AppRow,
);

/** Height of a row that has not been measured, between that of one line and that of a paragraph on a telephone. */
const rowHeightPx = 72;

/** The rows of a conversation that are near the view, in a frame that scrolls. */
export function RowList({
  position: { list, frame, lastRow, first, inputs, scrolled, resized, rested },
  rows,
  isPrepending = false,
  targetId,
  beginning = null,
  onLook,
}: {
  position: ReturnType<typeof useListPosition>;
  rows: readonly Row[];
  /** Whether this render has rows before the first one of the previous render. */
  isPrepending?: boolean;
  targetId?: string | undefined;
  /** Stands above the first row. */
  beginning?: ReactNode;
  /** Is called with the frame when another part of the list is in view. */
  onLook?: (frame: HTMLElement) => void;
}) {
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  // While rows come above it, it may be out of view for a moment: without it the focus would be lost.
  const focused = focusedKey === null ? -1 : rows.findIndex(({ key }) => key === focusedKey);
  const elementOf = useElements({ rows, beginning, targetId, lastRow, onFocus: setFocusedKey });
  const looked = () => {
    if (frame.current !== null) onLook?.(frame.current);
  };
  return (
    <div ref={frame} className={styles.list} hidden={rows.length === 0} tabIndex={-1} {...inputs}>
      <Virtualizer
        ref={list}
        data={rows}
        shift={isPrepending}
        itemSize={rowHeightPx}
        keepMounted={focused === -1 ? first : [...(first ?? []), focused]}
        onScroll={() => {
          scrolled();
          looked();
        }}
        onScrollEnd={rested}
        onResize={() => {
          resized();
          looked();
        }}
      >
        {elementOf}
      </Virtualizer>
    </div>
  );
}

/** All that an element of the list shows. */
interface ListedProps {
  row: Row;
  isLast: boolean;
  isTarget: boolean;
  above: ReactNode;
  lastRow: RefObject<HTMLDivElement | null>;
  onFocus: (key: string | null) => void;
}

/**
 * Returns the function that makes the element of a row. A row that looks as before keeps its element: the list renders
 * several times for each message that comes, and React passes over elements that are the same.
 */
function useElements({
  rows,
  beginning,
  targetId,
  lastRow,
  onFocus,
}: Pick<ListedProps, "lastRow" | "onFocus"> & {
  rows: readonly Row[];
  beginning: ReactNode;
  targetId: string | undefined;
}): (row: Row, index: number) => ReactElement {
  const [made] = useState(() => new WeakMap<Row, ReactElement<ListedProps>>());
  return (row, index) => {
    const isLast = index === rows.length - 1;
    const isTarget = row.key === targetId;
    const above = index === 0 ? beginning : null;
    const before = made.get(row);
    const { props } = before ?? {};
    if (before !== undefined && props?.isLast === isLast && props.isTarget === isTarget && props.above === above)
      return before;
    const element = <Listed key={row.key} {...{ row, isLast, isTarget, above, lastRow, onFocus }} />;
    made.set(row, element);
    return element;
  };
}

function Listed({ row, isLast, isTarget, above, lastRow, onFocus }: ListedProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears where the focus is.
    <div
      ref={isLast ? lastRow : undefined}
      className={isLast ? styles.last : undefined}
      data-last={isLast}
      onFocus={() => onFocus(row.key)}
      onBlur={() => onFocus(null)}
    >
      {above}
      {row.kind === "message" ? (
        <MessageItem row={row} isTarget={isTarget} isLast={isLast} />
      ) : row.kind === "pending" ? (
        <PendingItem row={row} isLast={isLast} />
      ) : (
        <AppRow row={row} />
      )}
    </div>
  );
}
