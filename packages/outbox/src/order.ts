import type { OutgoingEvent } from "@parley/contracts";

/**
 * What events are ordered with: among those of one channel (or of a server's own, or of one channel of direct messages)
 * the stream has the order in which their rows were committed and their ids were made.
 */
export type OrderedWith = { server_id: string; channel_id?: string } | { dm_channel_id: string };

/** Keys to be locked, and those whose waiting events go before anything of the locked ones. */
export interface Keys {
  keys: readonly string[];
  /** Servers of the channels: a channel's events must not overtake what changes who may see the channel. */
  earlier: readonly string[];
}

/** Keys of several places: those that their events have (`OutgoingEvent.orderKey`). */
export function keysOf(places: readonly OrderedWith[]): Keys {
  return keysOfEvents(
    places.map((place) =>
      "dm_channel_id" in place
        ? { orderKey: place.dm_channel_id, serverId: null }
        : { orderKey: place.channel_id ?? place.server_id, serverId: place.server_id },
    ),
  );
}

/** Keys of several events. */
export function keysOfEvents(events: readonly Pick<OutgoingEvent, "orderKey" | "serverId">[]): Keys {
  const keys = new Set(events.map(({ orderKey }) => orderKey));
  const servers = events.flatMap(({ serverId }) => serverId ?? []);
  return { keys: [...keys].sort(), earlier: [...new Set(servers)].filter((id) => !keys.has(id)) };
}
