/** The parts of a server that decide who may view its channels. */
export interface ServerViewRules {
  readonly ownerId: string;
  /** Ids of the roles that hold ADMINISTRATOR. */
  readonly administratorRoles: ReadonlySet<string>;
  /** Ids of the roles that hold VIEW_CHANNEL; read only where the everyone role lacks it. */
  readonly viewingRoles: ReadonlySet<string>;
}

/** The overrides of one channel that concern VIEW_CHANNEL, as ids of the roles and users that they name. */
export interface ViewOverrides {
  readonly allowedRoles: ReadonlySet<string>;
  readonly deniedRoles: ReadonlySet<string>;
  readonly allowedUsers: ReadonlySet<string>;
  readonly deniedUsers: ReadonlySet<string>;
  /**
   * The everyone role's contribution in the channel: the bit, by itself or by its override; a denial by its override;
   * or nothing, so that the member's roles decide.
   */
  readonly everyone: "allowed" | "denied" | "by roles";
}

/**
 * Whether a member may view a channel: the VIEW_CHANNEL bit of `resolveChannelPermissions`, without computing the other
 * bits (docs/protocol/permissions.md#3.2).
 *
 * @param channel null for a channel that every member may view: the everyone role has VIEW_CHANNEL, and no override
 *   takes it away; `overrides` is read only for members whom overrides bind, so that it may be a getter that computes
 *   the sets at the first use
 * @param member.roles ids of the member's roles
 */
export function mayViewChannel(
  server: ServerViewRules,
  channel: { readonly overrides: ViewOverrides } | null,
  member: { readonly id: string; readonly roles: readonly string[] },
): boolean {
  const { id, roles } = member;
  if (channel === null || id === server.ownerId) return true;
  if (holdsAny(roles, server.administratorRoles)) return true;
  const { allowedUsers, deniedUsers, allowedRoles, deniedRoles, everyone } = channel.overrides;
  if (allowedUsers.has(id)) return true;
  if (deniedUsers.has(id)) return false;
  if (holdsAny(roles, allowedRoles)) return true;
  if (holdsAny(roles, deniedRoles)) return false;
  return everyone === "allowed" || (everyone === "by roles" && holdsAny(roles, server.viewingRoles));
}

function holdsAny(roles: readonly string[], wanted: ReadonlySet<string>): boolean {
  return wanted.size > 0 && roles.some((role) => wanted.has(role));
}
