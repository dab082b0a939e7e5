/** The overrides of one channel that concern VIEW_CHANNEL, as ids of the roles and users that they name. */
export interface ViewOverrides {
  readonly allowedRoles: ReadonlySet<string>;
  readonly deniedRoles: ReadonlySet<string>;
  readonly allowedUsers: ReadonlySet<string>;
  readonly deniedUsers: ReadonlySet<string>;
}

/**
 * Whether a member may view a channel: the VIEW_CHANNEL bit of `resolveChannelPermissions`, without computing the other
 * bits. Every member has it by default (docs/interface.md#3.2), so only overrides can take it away.
 *
 * @param server.administratorRoles ids of the server's roles that hold ADMINISTRATOR
 * @param channel null for a channel without an override that denies VIEW_CHANNEL; `overrides` is read only for members
 *   whom overrides bind, so that it may be a getter that computes the sets at the first use
 * @param member.roles ids of the member's roles
 */
export function mayViewChannel(
  server: { readonly ownerId: string; readonly administratorRoles: ReadonlySet<string> },
  channel: { readonly overrides: ViewOverrides } | null,
  member: { readonly id: string; readonly roles: readonly string[] },
): boolean {
  const { id, roles } = member;
  if (channel === null || id === server.ownerId) return true;
  if (holdsAny(roles, server.administratorRoles)) return true;
  const { allowedUsers, deniedUsers, allowedRoles, deniedRoles } = channel.overrides;
  if (allowedUsers.has(id)) return true;
  if (deniedUsers.has(id)) return false;
  return holdsAny(roles, allowedRoles) || !holdsAny(roles, deniedRoles);
}

function holdsAny(roles: readonly string[], wanted: ReadonlySet<string>): boolean {
  return wanted.size > 0 && roles.some((role) => wanted.has(role));
}
