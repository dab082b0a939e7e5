import type { CachedServer, CacheState } from "./cache-state.js";
import type { GatewayEvent } from "./gateway-options.js";
import type { ChannelOverride } from "./generated/index.js";

/**
 * The part of the user's view that an event may change: the channels of a server, given by its id or by a channel with
 * an unknown server.
 */
export type Doubt = { readonly serverId: string } | { readonly channelId: string };

/**
 * Whether an event, which is not applied yet, may show or hide channels of a server. Roles that the user does not hold,
 * overrides for others, and changes that do not bind an owner are no reason: in a large server that saves every member
 * a request.
 */
export function doubtAfter(state: CacheState, event: GatewayEvent): Doubt | null {
  const ownId = state.user?.id;
  switch (event.name) {
    case "SERVER_UPDATE": {
      const { id, owner_id } = event.data;
      const before = state.servers.get(id)?.server.owner_id;
      return before !== owner_id && (before === ownId || owner_id === ownId) ? { serverId: id } : null;
    }
    case "ROLE_UPDATE": {
      const { id, server_id, permissions } = event.data;
      const known = state.servers.get(server_id);
      return known?.roles.get(id)?.permissions === permissions ? null : doubtOf(state, known, id);
    }
    case "ROLE_DELETE":
      return doubtOf(state, state.servers.get(event.data.server_id), event.data.role_id);
    case "MEMBER_ROLE_ADD":
    case "MEMBER_ROLE_REMOVE":
      return event.data.user_id === ownId ? doubtOf(state, state.servers.get(event.data.server_id), null) : null;
    case "MEMBER_UPDATE": {
      const { server_id, member } = event.data;
      const known = state.servers.get(server_id);
      // Without a list of channels there is nothing to doubt.
      if (member.user_id !== ownId || known === undefined || known.channels === null) return null;
      const held = known.own?.role_ids ?? null;
      const isSame = held?.length === member.roles.length && member.roles.every(({ id }) => held.includes(id));
      return isSame ? null : doubtOf(state, known, null);
    }
    case "CHANNEL_OVERRIDE_UPDATE":
      return doubtOfOverride(state, event.data.channel_id, event.data);
    case "CHANNEL_OVERRIDE_DELETE": {
      const { channel_id, override_id } = event.data;
      return doubtOfOverride(state, channel_id, state.overrides.get(channel_id)?.get(override_id));
    }
    default:
      return null;
  }
}

function doubtOfOverride(state: CacheState, channelId: string, override: ChannelOverride | undefined): Doubt | null {
  const { role_id = null, user_id = null } = override ?? {};
  if (user_id !== null && user_id !== state.user?.id) return null;
  const known = [...state.servers.values()].find(
    ({ channels, roles }) => channels?.has(channelId) === true || (role_id !== null && roles.has(role_id)),
  );
  return known === undefined ? { channelId } : doubtOf(state, known, role_id);
}

/** The doubt about a server unless the user is its owner or does not hold the role; null for one that they do. */
function doubtOf(state: CacheState, known: CachedServer | undefined, roleId: string | null): Doubt | null {
  if (known === undefined || known.server.owner_id === state.user?.id) return null;
  const held = known.own?.role_ids ?? null;
  const holds = roleId === null || roleId === known.server.id || held === null || held.includes(roleId);
  return holds ? { serverId: known.server.id } : null;
}
