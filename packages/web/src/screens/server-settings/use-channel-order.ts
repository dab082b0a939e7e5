import { useMemo, useRef, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { channelSince } from "../../state/community/channel-events.js";
import { createTurns } from "../../state/platform/turns.js";
import { useAction } from "../../ui/data/use-action.js";
import { type ChannelChange, channelChanges, channelEntries, moveEntry, withChanges } from "./channel-order.js";

const unmoved: readonly ChannelChange[] = [];

/** The channels of a server in their order and categories. A move is shown at once, and undone when the server refuses it. */
export function useChannelOrder(serverId: string) {
  const { client, store } = useApp();
  const [inTurn] = useState(createTurns);
  const moves = useRef(0);
  /** The moves under way: their events come one by one, and the order between them is not to be shown. */
  const [moved, setMoved] = useState(unmoved);
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId) ?? []));
  const entries = useMemo(() => channelEntries(withChanges(channels, moved)), [channels, moved]);
  const { run, error } = useAction(async (id: string, overId: string) => {
    const changes = channelChanges(moveEntry(entries, id, overId));
    setMoved((before) => [...before, ...changes]);
    moves.current += 1;
    try {
      await inTurn(serverId, async () => {
        for (const { id: channelId, ...change } of changes) {
          await store.change(() => client.channels.update(channelId, change), channelSince);
        }
      });
    } finally {
      moves.current -= 1;
      if (moves.current === 0) setMoved(unmoved);
    }
  });
  return { entries, move: (id: string, overId: string) => void run(id, overId), error };
}
