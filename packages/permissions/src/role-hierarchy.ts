/**
 * A member who changes roles or members: every rule allows the owner; other members are limited by their highest role
 * (docs/protocol/permissions.md#6.3).
 */
export interface RoleActor {
  isOwner: boolean;
  /** Positions of the roles that the actor holds. */
  rolePositions: readonly number[];
}

/** The highest position, or 0 without roles. */
export function highestRolePosition(rolePositions: readonly number[]): number {
  return rolePositions.reduce((highest, position) => Math.max(highest, position), 0);
}

/** Whether the actor may create, edit, move to, delete, assign or remove a role at this position. */
export function canActOnRole(actor: RoleActor, position: number): boolean {
  return actor.isOwner || position < highestRolePosition(actor.rolePositions);
}

/**
 * Whether the actor may kick, ban or time out a member in a server with a hierarchy (docs/protocol/permissions.md#24.2): one whose
 * highest role is below the actor's. A member without roles ranks below every member with one.
 */
export function canModerateMember(actor: RoleActor, memberPositions: readonly number[]): boolean {
  return actor.isOwner || Math.max(-1, ...memberPositions) < Math.max(-1, ...actor.rolePositions);
}

/**
 * Whether the actor may put these bits into a role: only bits that they hold themselves.
 * @param actorPermissions the actor's resolved server permissions; the owner and administrators hold all
 */
export function canGrant(actorPermissions: number, granted: number): boolean {
  return (granted & ~actorPermissions) === 0;
}

/**
 * Position of a new role when none is given: above all others if the owner creates it, otherwise just below the
 * creator's highest role.
 * @param serverPositions positions of every role of the server
 */
export function defaultRolePosition(actor: RoleActor, serverPositions: readonly number[]): number {
  if (actor.isOwner) return highestRolePosition(serverPositions) + 1;
  return Math.max(highestRolePosition(actor.rolePositions) - 1, 0);
}
