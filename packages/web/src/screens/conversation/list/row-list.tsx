import { type ComponentProps, type ReactNode, useState } from "react";
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
        {(row, index) => {
          const isLast = index === rows.length - 1;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: it hears where the focus is.
            <div
              key={row.key}
              ref={isLast ? lastRow : undefined}
              className={isLast ? styles.last : undefined}
              data-last={isLast}
              onFocus={() => setFocusedKey(row.key)}
              onBlur={() => setFocusedKey(null)}
            >
              {index === 0 ? beginning : null}
              {row.kind === "message" ? (
                <MessageItem row={row} isTarget={row.key === targetId} isLast={isLast} />
              ) : row.kind === "pending" ? (
                <PendingItem row={row} isLast={isLast} />
              ) : (
                <AppRow row={row} />
              )}
            </div>
          );
        }}
      </Virtualizer>
    </div>
  );
}
