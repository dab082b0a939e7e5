import type { ViewEffect, VisibilityBefore } from "@parley/contracts";
import { mayViewChannel } from "@parley/permissions";
import type { ChannelViewRule, MemberView } from "../hub/view-rules.js";

/**
 * The channels of a server that one member could view at an earlier time. It begins with the present rights; changes
 * are undone one after the other, the newest first. A change carries the former values, not differences, so undoing a
 * change that the view does not include has no effect.
 */
export class PastView {
  readonly #view: MemberView;
  readonly #roles: Set<string>;
  #ownerId: string;
  /** Roles that held ADMINISTRATOR, or did not, where that is not known from the view. */
  readonly #administrators = new Map<string, boolean>();
  /** By channel, and role or user: what its override did, where that is not known from the view. */
  readonly #effects = new Map<string, Map<string, ViewEffect>>();
  /** By channel, since the last change that was undone. */
  readonly #answers = new Map<string, boolean>();

  constructor(view: MemberView) {
    this.#view = view;
    this.#roles = new Set(view.roles);
    this.#ownerId = view.rules.ownerId;
  }

  undo({ target, owner, administrator, overrides, roles }: VisibilityBefore): void {
    this.#answers.clear();
    if (owner !== undefined) this.#ownerId = owner;
    if (administrator !== undefined) this.#administrators.set(target, administrator);
    for (const [channelId, effect] of Object.entries(overrides ?? {})) {
      const ofChannel = this.#effects.get(channelId);
      if (ofChannel === undefined) this.#effects.set(channelId, new Map([[target, effect]]));
      else ofChannel.set(target, effect);
    }
    if (target !== this.#view.userId) return;
    for (const [roleId, isHeld] of Object.entries(roles ?? {})) {
      if (isHeld) this.#roles.add(roleId);
      else this.#roles.delete(roleId);
    }
  }

  /** False for a channel that has been deleted. */
  mayView(channelId: string): boolean {
    const known = this.#answers.get(channelId);
    if (known !== undefined) return known;
    const rule = this.#view.rules.channels.get(channelId);
    const answer = rule !== undefined && this.#mayView(rule, this.#effects.get(channelId));
    this.#answers.set(channelId, answer);
    return answer;
  }

  #mayView(rule: ChannelViewRule | null, effects: ReadonlyMap<string, ViewEffect> | undefined): boolean {
    const { userId, rules } = this.#view;
    const roles = [...this.#roles];
    const wereAdministrators = roles.filter(
      (role) => this.#administrators.get(role) ?? rules.administratorRoles.has(role),
    );
    /** Those of the ids that an override concerned with this effect. */
    const having = (ids: readonly string[], effect: ViewEffect, now: ReadonlySet<string> | undefined) =>
      new Set(ids.filter((id) => (effects?.has(id) ? effects.get(id) === effect : now?.has(id) === true)));
    const overrides = {
      allowedUsers: having([userId], "allow", rule?.overrides.allowedUsers),
      deniedUsers: having([userId], "deny", rule?.overrides.deniedUsers),
      allowedRoles: having(roles, "allow", rule?.overrides.allowedRoles),
      deniedRoles: having(roles, "deny", rule?.overrides.deniedRoles),
    };
    const server = { ownerId: this.#ownerId, administratorRoles: new Set(wereAdministrators) };
    return mayViewChannel(server, { overrides }, { id: userId, roles });
  }
}
