import type { Role } from "@parley/client";
import { canActOnRole, canGrant, canModerateMember, decideModeration, type ModerationBit } from "@parley/permissions";
import type { AppState } from "../store/app-state.js";
import { mayInServer, serverPermissions } from "./permissions.js";

/** A role as a box to tick for a member. */
export interface RoleBox {
  role: Role;
  isHeld: boolean;
}

/** Whether the user may time out, kick or ban somebody in a server (docs/protocol/moderation.md#10.1). */
export function mayModerate(state: AppState, serverId: string, targetId: string, bit: ModerationBit): boolean {
  const server = state.servers.find(({ id }) => id === serverId);
  if (state.me === null || server === undefined) return false;
  const decision = decideModeration({
    callerId: state.me.id,
    targetId,
    ownerId: server.owner_id,
    callerPermissions: serverPermissions(state, serverId),
    bit,
  });
  return decision === "allowed";
}

/** Whether the user may change a nickname in a server: their own, or that of a member (docs/protocol/communities.md#28.4). */
export function mayRename(state: AppState, serverId: string, targetId: string): boolean {
  const { me, servers, members } = state;
  const target = members[serverId]?.[targetId];
  if (targetId === me?.id) return true;
  if (me === null || target === undefined) return false;
  if (!mayModerate(state, serverId, targetId, "KICK_MEMBERS")) return false;
  const isOwner = servers.find(({ id }) => id === serverId)?.owner_id === me.id;
  const own = members[serverId]?.[me.id]?.roles ?? [];
  const positions = ({ position }: { position: number }) => position;
  return canModerateMember({ isOwner, rolePositions: own.map(positions) }, target.roles.map(positions));
}

/** The roles that the user may give to a member or take from them, the highest first (docs/protocol/permissions.md#6.3). */
export function changeableRoles(state: AppState, serverId: string, targetId: string): RoleBox[] {
  const { me } = state;
  const server = state.servers.find(({ id }) => id === serverId);
  const target = state.members[serverId]?.[targetId];
  if (me === null || server === undefined || target === undefined) return [];
  if (!mayInServer(state, serverId, "MANAGE_ROLES")) return [];
  const isOwner = server.owner_id === me.id;
  const own = state.members[serverId]?.[me.id]?.roles ?? [];
  const actor = { isOwner, rolePositions: own.map(({ position }) => position) };
  const bits = serverPermissions(state, serverId);
  const held = new Set(target.roles.map(({ id }) => id));
  return (state.roles[serverId] ?? [])
    .map((role) => ({ role, isHeld: held.has(role.id) }))
    .filter(({ role, isHeld }) => {
      if (!canActOnRole(actor, role.position)) return false;
      return isHeld ? isOwner || targetId !== server.owner_id : canGrant(bits, role.permissions);
    });
}

/** The roles that the user may let an invite give, the highest first (docs/protocol/communities.md#34.4). */
export function invitedRoles(state: AppState, serverId: string): Role[] {
  const { me } = state;
  const server = state.servers.find(({ id }) => id === serverId);
  if (me === null || server === undefined) return [];
  const own = state.members[serverId]?.[me.id]?.roles ?? [];
  const actor = { isOwner: server.owner_id === me.id, rolePositions: own.map(({ position }) => position) };
  const bits = serverPermissions(state, serverId);
  return (state.roles[serverId] ?? []).filter(
    ({ position, permissions }) => canActOnRole(actor, position) && canGrant(bits, permissions),
  );
}
