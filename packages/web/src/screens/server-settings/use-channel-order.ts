import type { Channel } from "@parley/client";
import { useMemo, useState } from "react";
import { createTurns } from "../../state/turns.js";
import { useApp } from "../../state/use-app.js";
import { useAction } from "../../ui/use-action.js";
import type { Data } from "../../ui/use-data.js";
import { type ChannelEntry, channelChanges, channelEntries, moveEntry, withChanges } from "./channel-order.js";

const nothing: readonly Channel[] = [];

/** The order of channels and categories. A move is shown at once, and undone when the server refuses it. */
export function useChannelOrder(
  serverId: string,
  { value, set, reload }: Data<Channel[]>,
): { entries: readonly ChannelEntry[]; move: (id: string, overId: string) => void; error: string | null } {
  const { client, servers } = useApp();
  const [inTurn] = useState(createTurns);
  const entries = useMemo(() => channelEntries(value ?? nothing), [value]);
  const { run, error } = useAction(async (id: string, overId: string) => {
    const changes = channelChanges(moveEntry(entries, id, overId));
    set((before) => withChanges(before, changes));
    try {
      await inTurn(serverId, async () => {
        for (const { id: channelId, ...change } of changes) await client.channels.update(channelId, change);
      });
    } catch (failure) {
      // Some of the changes may have been made.
      await reload();
      throw failure;
    } finally {
      await servers.readRevealed(serverId);
    }
  });
  return { entries, move: (id, overId) => void run(id, overId), error };
}
