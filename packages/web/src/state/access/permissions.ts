import type { Channel } from "@parley/client";
import { type PermissionName, permissionBits, type RightName, rightsOf } from "@parley/contracts";
import {
  defaultPermissions,
  defaultRights,
  hasPermission,
  hasRight,
  resolveChannelPermissions,
  resolveRights,
  resolveServerPermissions,
} from "@parley/permissions";
import type { AppState } from "../store/app-state.js";

const isPermissionName = (name: string): name is PermissionName => name in permissionBits;

/** All names of permissions, in the order of the bits (docs/protocol/permissions.md#3.1). */
export const permissionNames: readonly PermissionName[] = Object.keys(permissionBits).filter(isPermissionName);

/** Those that count inside a channel's override. */
export const channelPermissionNames: readonly PermissionName[] = permissionNames.filter(
  (name) => permissionBits[name] <= permissionBits.SPEAK || name === "MANAGE_CHANNELS",
);

/** The user's permission bits in a server; 0 until the server's data has been read. */
export function serverPermissions(state: AppState, serverId: string): number {
  const mine = standing(state, serverId);
  return mine === null ? 0 : resolveServerPermissions(mine);
}

/** The user's permission bits in a channel of a server; 0 until its data has been read. */
export function channelPermissions(state: AppState, channelId: string): number {
  const channel = state.channels[channelId];
  if (channel === undefined) return 0;
  const mine = standing(state, channel.server_id);
  if (mine === null) return 0;
  return resolveChannelPermissions({ ...mine, overrides: state.overrides[channelId] ?? [] });
}

/** Whether the user may do something in a server. */
export const mayInServer = (state: AppState, serverId: string, permission: PermissionName) =>
  hasPermission(serverPermissions(state, serverId), permission);

/** Whether the user holds a right in a server (docs/protocol/permissions.md#24.2). */
export function holdsRight(state: AppState, serverId: string, right: RightName): boolean {
  const mine = standing(state, serverId);
  if (mine === null) return false;
  const { isOwner, everyone, roles } = mine;
  const held = resolveRights({
    isOwner,
    permissions: resolveServerPermissions(mine),
    everyone: { rights: everyone.rights === undefined ? defaultRights : rightsOf(everyone.rights) },
    roles: roles.map(({ rights = [] }) => ({ rights: rightsOf(rights) })),
  });
  return hasRight(held, right);
}

/** Whether the user may read the history of another one in a server (docs/protocol/moderation.md#24.6). */
export const mayReadHistory = (state: AppState, serverId: string, userId: string) =>
  state.me?.id !== userId &&
  (holdsRight(state, serverId, "view_audit_log") ||
    (["KICK_MEMBERS", "BAN_MEMBERS", "MUTE_MEMBERS"] as const).some((bit) => mayInServer(state, serverId, bit)));

/** Whether the user may do something in a channel. */
export const mayInChannel = (state: AppState, channelId: string, permission: PermissionName) =>
  hasPermission(channelPermissions(state, channelId), permission);

/** Whether the user may ask the bots of a channel for something; never in direct messages. */
export function mayUseApps(state: AppState, channelId: string): boolean {
  const serverId = state.channels[channelId]?.server_id;
  return (
    serverId !== undefined &&
    mayInChannel(state, channelId, "SEND_MESSAGES") &&
    holdsRight(state, serverId, "use_apps") &&
    (state.rules[serverId] ?? null) === null
  );
}

/** Whether the user may still view a channel that the API has listed: permissions may have changed since. */
export function isVisible(state: AppState, channel: Channel): boolean {
  return standing(state, channel.server_id) === null || mayInChannel(state, channel.id, "VIEW_CHANNEL");
}

/** Whether a channel is hidden from those whom no other override reveals it to. */
export const isPrivate = (state: AppState, { id, server_id }: Channel): boolean =>
  (state.overrides[id] ?? []).some(
    ({ role_id, deny }) => role_id === server_id && (deny & permissionBits.VIEW_CHANNEL) !== 0,
  );

/** The channels of a server that the user may view, in their order; undefined until they are read. */
export function visibleChannels(state: AppState, serverId: string): readonly Channel[] | undefined {
  return state.channelIds[serverId]
    ?.flatMap((id) => state.channels[id] ?? [])
    .filter((channel) => isVisible(state, channel));
}

function standing(state: AppState, serverId: string) {
  const { me } = state;
  const server = state.servers.find(({ id }) => id === serverId);
  if (me === null || server === undefined) return null;
  const isOwner = server.owner_id === me.id;
  const held = state.members[serverId]?.[me.id]?.roles;
  if (held === undefined && !isOwner) return null;
  const ids = new Set((held ?? []).map(({ id }) => id));
  const roles = (state.roles[serverId] ?? []).filter(({ id }) => ids.has(id));
  const everyone = state.everyone[serverId] ?? { id: serverId, permissions: defaultPermissions, rights: undefined };
  return { isOwner, userId: me.id, everyone, roles };
}
