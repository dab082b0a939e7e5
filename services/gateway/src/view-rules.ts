/** What the overrides of one channel say about VIEW_CHANNEL. */
export interface ChannelViewRule {
  allowedRoles: ReadonlySet<string>;
  deniedRoles: ReadonlySet<string>;
  allowedUsers: ReadonlySet<string>;
  deniedUsers: ReadonlySet<string>;
}

/** Everything about a server that decides who may view its channels, as of one moment. */
export interface ViewRules {
  ownerId: string;
  administratorRoles: ReadonlySet<string>;
  /** Every channel; null where no override takes VIEW_CHANNEL away, so that every member may view it. */
  channels: ReadonlyMap<string, ChannelViewRule | null>;
}

/**
 * Whether a member may view a channel: contract.md 3.2, reduced to this one bit, which everybody has by default.
 *
 * @param roles ids of the member's roles
 */
export function mayView(
  rules: ViewRules,
  rule: ChannelViewRule | null,
  userId: string,
  roles: readonly string[],
): boolean {
  if (rule === null || userId === rules.ownerId) return true;
  if (roles.some((role) => rules.administratorRoles.has(role))) return true;
  if (rule.allowedUsers.has(userId)) return true;
  if (rule.deniedUsers.has(userId)) return false;
  return roles.some((role) => rule.allowedRoles.has(role)) || !roles.some((role) => rule.deniedRoles.has(role));
}

/** The VIEW_CHANNEL part of an override; `allow` and `deny` say whether the bit is set. */
export interface ViewOverride {
  channelId: string;
  roleId: string | null;
  userId: string | null;
  allow: boolean;
  deny: boolean;
}

/** Groups a server's overrides by channel; channels without a denying one get null. */
export function channelViewRules(
  channelIds: readonly string[],
  overrides: readonly ViewOverride[],
): Map<string, ChannelViewRule | null> {
  const channels = new Map<string, ChannelViewRule | null>(channelIds.map((id) => [id, null]));
  const restricted = new Set(overrides.filter((override) => override.deny).map((override) => override.channelId));
  for (const channelId of restricted) {
    const list = overrides.filter((override) => override.channelId === channelId);
    const pick = (bit: "allow" | "deny", target: "roleId" | "userId") =>
      new Set(list.filter((override) => override[bit]).flatMap((override) => override[target] ?? []));
    channels.set(channelId, {
      allowedRoles: pick("allow", "roleId"),
      deniedRoles: pick("deny", "roleId"),
      allowedUsers: pick("allow", "userId"),
      deniedUsers: pick("deny", "userId"),
    });
  }
  return channels;
}
