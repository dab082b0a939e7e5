import type { LoadedRules } from "./loaded-rules.js";
import type { UserEntry } from "./user-entry.js";
import type { ChannelViewRule } from "./view-rules.js";

/** The local members of one server who may view its restricted channels, by channel. */
export class ChannelAudiences {
  readonly #audiences = new Map<string, Set<UserEntry>>();

  /** @param members the server's local members and the ids of their roles */
  constructor(
    private readonly members: ReadonlyMap<UserEntry, readonly string[]>,
    private readonly rules: LoadedRules,
  ) {}

  /** The viewers of a channel, computed at the first event after {@link clear}. */
  of(channelId: string, rule: ChannelViewRule): ReadonlySet<UserEntry> {
    const known = this.#audiences.get(channelId);
    if (known !== undefined) return known;
    const audience = new Set<UserEntry>();
    for (const [user, roles] of this.members) if (this.rules.allow(rule, { id: user.id, roles })) audience.add(user);
    this.#audiences.set(channelId, audience);
    return audience;
  }

  /** Adds a new member to the computed audiences. */
  add(user: UserEntry, roles: readonly string[]): void {
    for (const [channelId, audience] of this.#audiences) {
      const rule = this.rules.ruleOf(channelId);
      if (rule !== undefined && this.rules.allow(rule, { id: user.id, roles })) audience.add(user);
    }
  }

  /** Removes a user from all audiences. */
  delete(user: UserEntry): void {
    for (const audience of this.#audiences.values()) audience.delete(user);
  }

  /** To be called after a change of the rules. */
  clear(): void {
    this.#audiences.clear();
  }
}
