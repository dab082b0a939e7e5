import { ParleyError } from "@parley/client";
import { useCallback, useEffect, useState } from "react";
import type { Place } from "../../../state/histories.js";
import { useApp, useAppState } from "../../../state/use-app.js";
import { useData } from "../../../ui/use-data.js";

/** The history of a conversation, which is read while it is shown, around the linked message if there is one. */
export function useHistory(place: Place, linkedId: string | null, onJump: (messageId: string | null) => void) {
  const { histories } = useApp();
  const history = useAppState((state) => state.histories[place.id]);
  const isReady = useAppState((state) => state.me !== null);
  const isStale = history?.isStale === true;
  const reading = useData(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a stale history is read again.
    useCallback(async () => {
      try {
        if (linkedId !== null) await histories.jump(place, linkedId);
        else await histories.open(place);
      } catch (error) {
        const isGone = error instanceof ParleyError && error.code === "message_not_found";
        if (!isGone) throw error;
        onJump(null);
      }
      return true;
    }, [histories, place, linkedId, onJump, isStale]),
  );
  useEffect(() => () => histories.leave(place), [histories, place]);
  const [isUnreadKnown, setUnreadKnown] = useState(false);
  if (!isUnreadKnown && isReady && history?.isStale === false) setUnreadKnown(true);
  return {
    history,
    reading,
    /**
     * Whether both the history and the number of unread messages have been read. Until then the list shows messages, but
     * not which of them are new; it begins anew when that is known.
     */
    isUnreadKnown,
  };
}
