import type { EventReaders } from "@parley/contracts";
import { hasRight, mayViewChannel, resolveRights, resolveServerPermissions } from "@parley/permissions";
import { deletedChannelKeepMs } from "../limits.js";
import type { ChannelViewRule, ViewRules } from "./view-rules.js";

const noRules: ViewRules = {
  ownerId: "",
  administratorRoles: new Set(),
  viewingRoles: new Set(),
  everyone: { permissions: 0, rights: 0 },
  roleRights: new Map(),
  channels: new Map(),
};

/** The view rules of one server, as of the last load. */
export class LoadedRules {
  #rules: ViewRules | null = null;
  /** Channels that loads for them did not find, until rules are loaded again. */
  readonly #missingChannels = new Set<string>();
  /** Rules of deleted channels, for their events that are still to be delivered. */
  readonly #deletedChannels = new Map<string, { rule: ChannelViewRule | null; since: number }>();

  /** Null before the first load. */
  get current(): ViewRules | null {
    return this.#rules;
  }

  /** undefined for a channel that is not loaded, null for one that every member may view. */
  ruleOf(channelId: string): ChannelViewRule | null | undefined {
    const rule = this.#rules?.channels.get(channelId);
    return rule === undefined ? this.#deletedChannels.get(channelId)?.rule : rule;
  }

  /** Whether a member with these roles may view a channel with this rule. */
  allow(rule: ChannelViewRule | null, member: { id: string; roles: readonly string[] }): boolean {
    return this.#rules !== null && mayViewChannel(this.#rules, rule, member);
  }

  /** Whether a member with these roles is among the readers of an event. */
  mayRead(readers: EventReaders, { id, roles }: { id: string; roles: readonly string[] }): boolean {
    if (this.#rules === null) return false;
    const { ownerId, administratorRoles, everyone, roleRights } = this.#rules;
    if (ownerId === id) return true;
    if (readers === "owner") return false;
    if (readers === "administrators") return roles.some((role) => administratorRoles.has(role));
    const given = roles.flatMap((role) => roleRights.get(role) ?? []);
    const permissions = resolveServerPermissions({ isOwner: false, everyone, roles: given });
    return hasRight(resolveRights({ isOwner: false, permissions, everyone, roles: given }), readers);
  }

  /** Whether the channel's rule is loaded, or a load for the channel did not find it. */
  has(channelId: string): boolean {
    return this.ruleOf(channelId) !== undefined || this.#missingChannels.has(channelId);
  }

  /**
   * @param rules null for a deleted server, which keeps its rules for its events that are still to be delivered
   * @param channelId the channel that the load was for, if any
   */
  replace(rules: ViewRules | null, channelId: string | null): void {
    if (rules === null) this.#rules ??= noRules;
    else this.#keepDeleted(rules);
    if (channelId !== null && this.ruleOf(channelId) === undefined) this.#missingChannels.add(channelId);
  }

  #keepDeleted(rules: ViewRules): void {
    const now = performance.now();
    for (const [channelId, deleted] of this.#deletedChannels) {
      if (rules.channels.has(channelId) || now - deleted.since > deletedChannelKeepMs)
        this.#deletedChannels.delete(channelId);
    }
    for (const [channelId, rule] of this.#rules?.channels ?? []) {
      if (!rules.channels.has(channelId)) this.#deletedChannels.set(channelId, { rule, since: now });
    }
    this.#rules = rules;
    this.#missingChannels.clear();
  }
}
