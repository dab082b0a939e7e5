import type { OutgoingEvent } from "@parley/contracts";

/**
 * The scope within which events are ordered: one channel, a server without its channels, one channel of direct
 * messages, or the events of a single user. The stream has the events of a scope in the order in which their rows were
 * committed and their ids assigned.
 */
export type OrderedWith = { server_id: string; channel_id?: string } | { dm_channel_id: string } | { user_id: string };

/** Ordering keys to be locked. */
export interface Keys {
  keys: readonly string[];
  /**
   * Servers of the channels. Their events in the outbox are published before those of the locked keys: events of a
   * channel must not overtake changes of permissions of its server.
   */
  parentKeys: readonly string[];
}

/** The keys (`OutgoingEvent.orderKey`) of the events of several scopes. */
export function keysOf(scopes: readonly OrderedWith[]): Keys {
  return keysOfEvents(
    scopes.map((scope) => {
      if ("server_id" in scope) return { orderKey: scope.channel_id ?? scope.server_id, serverId: scope.server_id };
      return { orderKey: "user_id" in scope ? scope.user_id : scope.dm_channel_id, serverId: null };
    }),
  );
}

/** The keys of several events. */
export function keysOfEvents(events: readonly Pick<OutgoingEvent, "orderKey" | "serverId">[]): Keys {
  const keys = new Set(events.map(({ orderKey }) => orderKey));
  const servers = events.flatMap(({ serverId }) => serverId ?? []);
  return { keys: [...keys].sort(), parentKeys: [...new Set(servers)].filter((id) => !keys.has(id)) };
}
