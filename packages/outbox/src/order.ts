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

/** The key that events of one place share (`OutgoingEvent.orderKey`). */
export function keyOf(place: OrderedWith): string {
  return "dm_channel_id" in place ? place.dm_channel_id : (place.channel_id ?? place.server_id);
}

/** Keys of several places. */
export function keysOf(places: readonly OrderedWith[]): Keys {
  const keys = new Set(places.map(keyOf));
  const servers = places.flatMap((place) => ("server_id" in place ? [place.server_id] : []));
  return { keys: [...keys].sort(), earlier: [...new Set(servers)].filter((id) => !keys.has(id)) };
}
