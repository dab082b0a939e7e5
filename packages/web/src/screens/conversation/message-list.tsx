import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { VList, type VListHandle } from "virtua";
import { firstUnread, type History } from "../../state/history.js";
import type { PendingMessage } from "../../state/page-state.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { useConversation } from "./context.js";
import { MessageItem } from "./message-item.js";
import styles from "./message-list.module.css";
import { PendingItem } from "./pending-item.js";
import { moveFocus } from "./row-focus.js";
import { conversationRows, type Row } from "./rows.js";

const nothing: readonly PendingMessage[] = [];
/** Aligns a short history to the bottom. */
const fromBottom = { display: "flex", flexDirection: "column" } as const;
/** Hides the list while it is empty, so that the beginning of the history is where the first message will be. */
const hidden = { display: "none" } as const;
/** Distance from an end, in pixels, at which further messages are read. */
const readAheadPx = 1_200;
const bottomTolerancePx = 40;

/** A history with infinite scrolling in both directions. */
export function MessageList({
  history,
  name,
  target,
}: {
  history: History;
  name: string;
  /** The linked message, with a number that grows with each request to show it. */
  target: { id: string; wish: number } | null;
}) {
  const names = texts.conversation;
  const { place, jump } = useConversation();
  const { histories, readState } = usePage();
  const myId = usePageState((state) => state.me?.id ?? "");
  const unread = usePageState((state) => state.unread[place.id] ?? 0);
  const pending = usePageState((state) => state.pending[place.id] ?? nothing);
  const list = useRef<VListHandle>(null);
  const [firstNewId, setFirstNewId] = useState(() => firstUnread(history, unread, myId));
  // What the list begins with, until it is laid out.
  const [isAtBottom, setAtBottom] = useState(target === null && firstNewId === null);
  const sticksToBottom = useRef(isAtBottom);
  const rows = useMemo(
    () => conversationRows(history.messages, history.hasNewer ? nothing : pending, firstNewId, myId),
    [history, pending, firstNewId, myId],
  );
  const isPrepending = useIsPrepending(history);

  const toBottom = useCallback(() => {
    list.current?.scrollToIndex(rows.length - 1, { align: "end" });
  }, [rows.length]);

  const look = useCallback(() => {
    const handle = list.current;
    if (handle === null) return;
    const below = handle.scrollSize - handle.scrollOffset - handle.viewportSize;
    const atBottom = !history.hasNewer && below < bottomTolerancePx;
    sticksToBottom.current = atBottom;
    setAtBottom(atBottom);
    if (handle.scrollOffset < readAheadPx && history.hasOlder) void histories.older(place).catch(() => undefined);
    if (below < readAheadPx && history.hasNewer) void histories.newer(place).catch(() => undefined);
  }, [history.hasNewer, history.hasOlder, histories, place]);

  // Initial position: the linked message, else the first unread one, else the end.
  const isPlaced = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new request scrolls the list.
  useLayoutEffect(() => {
    if (target === null) return;
    const index = rows.findIndex(({ key }) => key === target.id);
    if (index === -1) return;
    isPlaced.current = true;
    sticksToBottom.current = false;
    list.current?.scrollToIndex(index, { align: "center" });
  }, [target?.wish, target?.id, history.isStale]);
  useLayoutEffect(() => {
    if (isPlaced.current) return;
    isPlaced.current = true;
    const index = rows.findIndex((row) => row.kind === "message" && row.isFirstNew);
    if (index === -1) toBottom();
    else list.current?.scrollToIndex(index, { align: "start", offset: -48 });
  }, [rows, toBottom]);

  const lastKey = rows.at(-1)?.key;
  const ownSends = pending.length;
  const sendsBefore = useRef(ownSends);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for new rows at the end.
  useLayoutEffect(() => {
    const isOwn = ownSends > sendsBefore.current;
    sendsBefore.current = ownSends;
    if (sticksToBottom.current || (isOwn && !history.hasNewer)) toBottom();
  }, [lastKey, ownSends]);

  // Messages are read when the list is at its end and the window has the focus.
  useEffect(() => {
    const mark = () => {
      // What was missed is not in a stale history.
      if (history.isStale) return;
      if (isAtBottom && document.hasFocus()) readState.markRead(place);
      else if (unread > 0) setFirstNewId((known) => known ?? firstUnread(history, unread, myId));
    };
    mark();
    addEventListener("focus", mark);
    return () => removeEventListener("focus", mark);
  }, [isAtBottom, unread, readState, place, history, myId]);

  const toNewest = async () => {
    if (history.hasNewer) await histories.toNewest(place).catch(() => undefined);
    if (target !== null) jump(null);
    sticksToBottom.current = true;
    requestAnimationFrame(() => list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: "end" }));
    setFirstNewId(null);
  };

  return (
    <section className={styles.frame} aria-label={names.messages} onKeyDown={moveFocus}>
      {rows.length === 0 ? <Beginning name={name} isEmpty /> : null}
      <VList
        ref={list}
        className={styles.list}
        style={rows.length === 0 ? hidden : fromBottom}
        data={rows}
        shift={isPrepending}
        onScroll={look}
        onResize={() => {
          if (sticksToBottom.current) toBottom();
          look();
        }}
        tabIndex={-1}
      >
        {(row: Row, index) => (
          <div key={row.key} className={index === rows.length - 1 ? styles.last : undefined}>
            {index === 0 && !history.hasOlder ? <Beginning name={name} /> : null}
            {row.kind === "message" ? (
              <MessageItem row={row} isTarget={row.key === target?.id} isLast={index === rows.length - 1} />
            ) : (
              <PendingItem row={row} />
            )}
          </div>
        )}
      </VList>
      {isAtBottom ? null : (
        <button type="button" className={styles.toNewest} onClick={toNewest}>
          <ArrowDown size={16} aria-hidden />
          {unread > 0 ? names.unreadBelow(unread) : names.toNewest}
        </button>
      )}
    </section>
  );
}

function Beginning({ name, isEmpty = false }: { name: string; isEmpty?: boolean }) {
  const { place } = useConversation();
  const names = texts.conversation;
  return (
    <div className={styles.beginning}>
      <h2>
        <bdi>{place.kind === "direct" ? names.beginningDirect(name) : names.beginning(name)}</bdi>
      </h2>
      {isEmpty ? <p>{names.empty}</p> : null}
    </div>
  );
}

/** Whether this render has messages before the first one of the previous render. */
function useIsPrepending(history: History): boolean {
  const before = useRef(history);
  const firstBefore = before.current.messages[0];
  const first = history.messages[0];
  const isPrepending =
    firstBefore !== undefined &&
    first !== undefined &&
    first.id < firstBefore.id &&
    before.current.messages.at(-1)?.id === history.messages.at(-1)?.id;
  useLayoutEffect(() => {
    before.current = history;
  });
  return isPrepending;
}
