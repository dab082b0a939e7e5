import { CachedMarks } from "./cached-marks.js";
import { type CachedMember, CachedMembers } from "./cached-members.js";
import type { AnyDmChannel, Channel, ChannelOverride, RawServer, Ready, Role, User } from "./generated/index.js";

/** A server of the user. */
export interface CachedServer {
  server: RawServer;
  readonly roles: Map<string, Role>;
  /** Those that the user may view; null until they are read. */
  channels: Map<string, Channel> | null;
  /** The user's own membership; null until it is read. */
  own: CachedMember | null;
}

/** Everything that events change. */
export interface CacheState {
  user: User | null;
  readonly servers: Map<string, CachedServer>;
  /** By channel and by id, also of channels that the user may not view. */
  readonly overrides: Map<string, Map<string, ChannelOverride>>;
  readonly directChannels: Map<string, AnyDmChannel>;
  readonly members: CachedMembers;
  marks: CachedMarks;
  /** The blocked users, as far as events and {@link Cache.fetchBlocks} have shown them. */
  readonly blocked: Set<string>;
}

/** A state without anything. */
export function emptyState(membersMax: number): CacheState {
  return {
    user: null,
    servers: new Map(),
    overrides: new Map(),
    directChannels: new Map(),
    members: new CachedMembers(membersMax),
    marks: new CachedMarks(),
    blocked: new Set(),
  };
}

/**
 * The state that READY has. Lists of channels, which READY has not, stay until they are read again; so do own memberships
 * and blocks.
 */
export function stateOf(ready: Ready, before: CacheState, membersMax: number): CacheState {
  const { blocked } = before;
  const state = { ...emptyState(membersMax), user: ready.user, marks: new CachedMarks(ready), blocked };
  for (const server of ready.servers) {
    const { channels = null, own = null } = before.servers.get(server.id) ?? {};
    state.servers.set(server.id, { server, roles: byId(ready.server_roles[server.id] ?? []), channels, own });
  }
  for (const [channelId, list] of Object.entries(ready.channel_overrides)) state.overrides.set(channelId, byId(list));
  for (const channel of ready.dm_channels) state.directChannels.set(channel.id, channel);
  return state;
}

/** Objects by their id. */
export function byId<Item extends { readonly id: string }>(list: readonly Item[]): Map<string, Item> {
  return new Map(list.map((item) => [item.id, item]));
}

/** Removes a server with its parts. */
export function forgetServer(state: CacheState, serverId: string): void {
  const known = state.servers.get(serverId);
  if (known === undefined) return;
  for (const channelId of known.channels?.keys() ?? []) forgetChannel(state, channelId);
  for (const [channelId, list] of state.overrides) {
    if ([...list.values()].some(({ role_id }) => role_id !== null && known.roles.has(role_id))) {
      forgetChannel(state, channelId);
    }
  }
  state.servers.delete(serverId);
  state.members.deleteServer(serverId);
}

/** Removes the parts of a channel, without the channel itself. */
export function forgetChannel(state: CacheState, channelId: string): void {
  state.overrides.delete(channelId);
  state.marks.delete(channelId);
}

export function deleteOverride({ overrides }: CacheState, channelId: string, overrideId: string): void {
  const list = overrides.get(channelId);
  list?.delete(overrideId);
  if (list?.size === 0) overrides.delete(channelId);
}

/** Keeps a member; the user's own membership is never dropped for others. */
export function setMember(state: CacheState, serverId: string, member: CachedMember): void {
  const known = state.servers.get(serverId);
  if (known === undefined) return;
  if (member.user_id === state.user?.id) known.own = member;
  else state.members.set(serverId, member);
}

type Change = (member: CachedMember) => CachedMember;

/** Changes a member, if they are there. */
export function changeMember(state: CacheState, of: { server_id: string; user_id: string }, change: Change): void {
  const known = state.servers.get(of.server_id);
  if (known?.own?.user_id === of.user_id) known.own = change(known.own);
  else state.members.change(of.server_id, of.user_id, change);
}

/** Changes all cached members of a server. */
export function changeMembers(state: CacheState, serverId: string, change: Change): void {
  const known = state.servers.get(serverId);
  if (known !== undefined && known.own !== null) known.own = change(known.own);
  state.members.changeAll(serverId, change);
}

/** The member without a role. */
export function withoutRole(member: CachedMember, roleId: string): CachedMember {
  const role_ids = member.role_ids?.filter((id) => id !== roleId) ?? null;
  return { ...member, role_ids };
}
