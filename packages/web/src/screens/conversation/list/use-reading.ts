import { useEffect } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import type { ReadPlace } from "../../../state/conversations/read-state.js";
import type { History } from "../../../state/store/history.js";

/**
 * Messages are read when their list is at its end and the window has the focus.
 *
 * @param place memoised by callers
 * @param onUnread called for unread messages that nobody looks at; memoised by callers
 */
export function useReading(
  place: ReadPlace,
  history: History,
  isAtEnd: boolean,
  onUnread?: (unread: number) => void,
): void {
  const { readState } = useApp();
  const unread = useAppState((state) => state.unread[place.id] ?? 0);
  const isFollowed = isAtEnd && !history.isStale && !history.hasNewer;
  useEffect(() => {
    return isFollowed ? readState.follow(place) : undefined;
  }, [isFollowed, readState, place]);
  useEffect(() => () => readState.left(place), [readState, place]);
  useEffect(() => {
    const mark = () => {
      // A stale history lacks the missed messages.
      if (history.isStale) return;
      if (isAtEnd && document.hasFocus() && !readState.isKeptUnread(place)) readState.markRead(place);
      else if (unread > 0) onUnread?.(unread);
    };
    mark();
    addEventListener("focus", mark);
    return () => removeEventListener("focus", mark);
  }, [isAtEnd, unread, readState, place, history, onUnread]);
}
