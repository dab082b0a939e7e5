import { useMemo, useRef, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../state/permissions.js";
import { withChannels } from "../../state/server-events.js";
import { createTurns } from "../../state/turns.js";
import { useApp, useAppState } from "../../state/use-app.js";
import { useAction } from "../../ui/use-action.js";
import { channelChanges, channelEntries, moveEntry, withChanges } from "./channel-order.js";

/** The channels of a server in their order and categories. A move is shown at once, and undone when the server refuses it. */
export function useChannelOrder(serverId: string) {
  const { client, servers, store } = useApp();
  const [inTurn] = useState(createTurns);
  const moves = useRef(0);
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId) ?? []));
  const entries = useMemo(() => channelEntries(channels), [channels]);
  const { run, error } = useAction(async (id: string, overId: string) => {
    const changes = channelChanges(moveEntry(entries, id, overId));
    store.apply((state) => {
      const known = (state.channelIds[serverId] ?? []).flatMap((channelId) => state.channels[channelId] ?? []);
      return withChannels(state, serverId, withChanges(known, changes));
    });
    moves.current += 1;
    try {
      await inTurn(serverId, async () => {
        for (const { id: channelId, ...change } of changes) await client.channels.update(channelId, change);
      });
    } finally {
      moves.current -= 1;
      // Between two moves the server has an order that is not to be shown. After a failure some changes may be made.
      if (moves.current === 0) await servers.readRevealed(serverId);
    }
  });
  return { entries, move: (id: string, overId: string) => void run(id, overId), error };
}
