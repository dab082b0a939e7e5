import { ParleyError } from "@parley/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import type { Place } from "../../../state/conversations/histories.js";
import { useData } from "../../../ui/data/use-data.js";

/**
 * The history of a conversation, which is read while it is shown, around the linked message if there is one. The link of a
 * thread reply opens its thread, and leads to the root.
 */
export function useHistory({
  place,
  linkedId,
  onJump,
  openThread,
}: {
  place: Place;
  linkedId: string | null;
  onJump: (messageId: string | null) => void;
  openThread: ((rootId: string, replyId?: string) => void) | null;
}) {
  const { histories } = useApp();
  const history = useAppState((state) => state.histories[place.id]);
  const isReady = useAppState((state) => state.me !== null);
  const isStale = history?.isStale === true;
  const readyCount = useAppState((state) => state.readyCount);
  /** The linked thread reply that was found last. Read again, it does not open its thread once more. */
  const [reply, setReply] = useState<{ id: string; rootId: string } | null>(null);
  const openedId = useRef<string | null>(null);
  const reading = useData(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a stale history is read again, and what could not be read.
    useCallback(async () => {
      try {
        if (linkedId === null) await histories.open(place);
        else {
          await histories.jump(place, linkedId, (rootId) => {
            setReply({ id: linkedId, rootId });
            if (openedId.current !== linkedId) openThread?.(rootId, linkedId);
            openedId.current = linkedId;
          });
        }
      } catch (error) {
        const isGone = error instanceof ParleyError && error.code === "message_not_found";
        if (!isGone) throw error;
        onJump(null);
      }
      return true;
    }, [histories, place, linkedId, onJump, openThread, isStale, readyCount]),
  );
  useEffect(() => () => histories.leave(place), [histories, place]);
  const [isUnreadKnown, setUnreadKnown] = useState(false);
  if (!isUnreadKnown && isReady && history?.isStale === false) setUnreadKnown(true);
  return {
    history,
    reading,
    /** The message that the link leads to in this history. */
    shownId: reply?.id === linkedId ? (reply?.rootId ?? null) : linkedId,
    /**
     * Whether both the history and the number of unread messages have been read. Until then the list shows messages, but
     * not which of them are new; it begins anew when that is known.
     */
    isUnreadKnown,
  };
}
