import { setTimeout as pause } from "node:timers/promises";
import { mayViewChannel } from "@parley/permissions";
import {
  deletedChannelKeepMs,
  internedRoleIdsMax,
  permissionsReloadPauseFactor,
  permissionsReloadPauseMsMax,
} from "../limits.js";
import type { SerialQueue } from "../scheduling/serial-queue.js";
import type { Subscription } from "../stream/subscriptions.js";
import type { LoadPermissions } from "./load-permissions.js";
import type { UserEntry } from "./user-entry.js";
import type { ChannelViewRule, ViewRules } from "./view-rules.js";

const noRoles: readonly string[] = [];

/**
 * One server with members on this node: who they are, what each may view.
 *
 * A local user of the server is in one of three states:
 * (none)    → uncertain  they joined
 * uncertain → member     the database, asked after that was heard, knows the membership
 * uncertain → (removed)  it does not
 * member    → departed   it does not know them any more, but the event that says so is still to come
 * member, departed → uncertain   that event came
 *
 * Members get the server's events and those of the channels that they may view; departed ones only the server's, so that
 * a kicked user gets MEMBER_KICK; uncertain ones nothing, and no event passes before their state is known.
 */
export class ServerEntry {
  /** Members and the ids of their roles. */
  readonly #members = new Map<UserEntry, readonly string[]>();
  readonly #removed = new Set<UserEntry>();
  readonly #pending = new Map<UserEntry, number>();
  /** Members and departed ones whose roles or membership may have changed; they stay what they are until it is known. */
  readonly #stale = new Map<UserEntry, number>();
  /** Numbers the doubts in both, and about the rules: a statement's answer says nothing about a doubt that came after it was sent. */
  #invalidations = 1;
  #rules: ViewRules | null = null;
  /** Number of the last doubt about the rules, and of the last doubt before they were read. */
  #rulesInvalidation = 1;
  #rulesLoadedAsOf = 0;
  /** Until when the permissions are not to be read again, by `performance.now()`. */
  #nextLoadAt = 0;
  /** Channels that were asked for and do not exist, until the rules are read again. */
  #missingChannels = new Set<string>();
  /** Rules of deleted channels, for events that were on their way. */
  #deletedChannels = new Map<string, { rule: ChannelViewRule | null; since: number }>();
  /** Viewers of restricted channels, computed at the first event after a change. */
  readonly #audiences = new Map<string, Set<UserEntry>>();
  readonly #internedRoleIds = new Map<string, string>();
  /** When somebody's view last changed, by `performance.now()`. */
  #changedAt = 0;
  /** From when on no change of a role can be missed, by `performance.now()`. */
  #confirmedAt = Number.POSITIVE_INFINITY;

  constructor(
    readonly id: string,
    readonly subscription: Subscription,
    readonly queue: SerialQueue,
    private readonly loadPermissions: LoadPermissions,
  ) {}

  /** Nobody here has to do with the server any more. */
  get isEmpty(): boolean {
    return this.#members.size + this.#removed.size + this.#pending.size === 0;
  }

  /** Whether a user is in any of the states above. */
  has(user: UserEntry): boolean {
    return this.#members.has(user) || this.#removed.has(user) || this.#pending.has(user);
  }

  /** Everybody who may get something from this server, to close their connections. */
  allUsers(): UserEntry[] {
    return [...this.#members.keys(), ...this.#removed, ...this.#pending.keys()];
  }

  /** Members whose state is certain. */
  get members(): Iterable<UserEntry> {
    return this.#members.keys();
  }

  /** Recipients of events about the server itself. */
  *serverAudience(): Iterable<UserEntry> {
    yield* this.#members.keys();
    yield* this.#removed;
  }

  /** Recipients of a channel's events; call it only when {@link isLoaded} says so. */
  viewers(channelId: string): Iterable<UserEntry> {
    const rule = this.#ruleOf(channelId);
    if (rule === undefined) return [];
    if (rule === null) return this.#members.keys();
    return this.#audienceOf(channelId, rule);
  }

  /** Whether a user is among the {@link viewers}. */
  isViewer(user: UserEntry, channelId: string): boolean {
    const rule = this.#ruleOf(channelId);
    if (rule === undefined) return false;
    return rule === null ? this.#members.has(user) : this.#audienceOf(channelId, rule).has(user);
  }

  /** Whether the recipients of an event are known; if not, {@link load} first. */
  isLoaded(channelId: string | null): boolean {
    if (this.#pending.size > 0) return false;
    if (channelId === null) return true;
    if (this.#rulesInvalidation > this.#rulesLoadedAsOf || this.#stale.size > 0) return false;
    return this.#ruleOf(channelId) !== undefined || this.#missingChannels.has(channelId);
  }

  /**
   * Reads from the database what is not known; rejects when that fails. What was heard before is covered by one reading,
   * however much it was, and large servers rest between two readings: at most a part of one database connection is theirs.
   */
  async load(channelId: string | null): Promise<void> {
    const pauseMs = this.#nextLoadAt - performance.now();
    if (pauseMs > 1) await pause(pauseMs);
    const startedAt = performance.now();
    const asOf = this.#invalidations;
    const users = [...this.#pending.keys(), ...this.#stale.keys()];
    const answer = await this.loadPermissions({ serverId: this.id, userIds: users.map((user) => user.id) });
    // A server that is gone keeps its rules for the events that were on their way.
    if (answer.rules !== null) this.#replaceRules(answer.rules);
    else this.#rules ??= { ownerId: "", administratorRoles: new Set(), channels: new Map() };
    this.#rulesLoadedAsOf = asOf;
    for (const user of users) this.#apply(user, answer.members.get(user.id), asOf);
    if (channelId !== null && this.#ruleOf(channelId) === undefined) this.#missingChannels.add(channelId);
    const now = performance.now();
    if (answer.isLarge)
      this.#nextLoadAt = now + Math.min((now - startedAt) * permissionsReloadPauseFactor, permissionsReloadPauseMsMax);
  }

  /** The subscription is in force. */
  confirmSubscription(): void {
    this.#confirmedAt = Math.min(this.#confirmedAt, performance.now());
  }

  /**
   * A user connected whose roles were read from the database.
   *
   * @param readAt when the statement was sent, by `performance.now()`
   */
  addLoaded(user: UserEntry, roles: readonly string[], readAt: number): void {
    if (this.has(user)) return;
    user.servers.add(this);
    this.#members.set(user, this.#internRoleIds(roles));
    if (this.#confirmedAt < readAt && this.#changedAt < readAt) this.#addToAudiences(user);
    else this.#stale.set(user, ++this.#invalidations);
  }

  /**
   * A user joined, as has just been heard. From now on the server is not deserted, and no event passes before the database
   * has said what is true. One who still counts as a member keeps getting the events that were on their way, MEMBER_KICK
   * among them: the leave that the join follows is still in the lane, or to come.
   */
  join(user: UserEntry): void {
    if (this.#members.has(user) || this.#removed.has(user)) this.#stale.set(user, ++this.#invalidations);
    else this.#markPending(user);
  }

  /** A user left, in the order of the server's events; the database says whether they are back already. */
  leave(user: UserEntry): void {
    this.#detach(user);
    this.#markPending(user);
  }

  /** The last connection of a user is gone, or the server is. */
  remove(user: UserEntry): void {
    user.servers.delete(this);
    this.#detach(user);
    this.#pending.delete(user);
  }

  /** Roles or overrides changed, as has just been heard. */
  invalidateRules(): void {
    this.#rulesInvalidation = ++this.#invalidations;
    this.#changedAt = performance.now();
  }

  /** Anything may have changed. */
  invalidateAll(): void {
    this.invalidateRules();
    for (const user of this.#members.keys()) this.#stale.set(user, ++this.#invalidations);
  }

  /** The roles of one user changed. */
  invalidateMember(user: UserEntry | undefined): void {
    this.#changedAt = performance.now();
    if (user !== undefined && this.#members.has(user)) this.#stale.set(user, ++this.#invalidations);
  }

  #markPending(user: UserEntry): void {
    user.servers.add(this);
    this.#pending.set(user, ++this.#invalidations);
  }

  /** Takes a user out of everything but the doubtful. */
  #detach(user: UserEntry): void {
    this.#members.delete(user);
    this.#removed.delete(user);
    this.#stale.delete(user);
    for (const audience of this.#audiences.values()) audience.delete(user);
  }

  /**
   * The database was asked about a user.
   *
   * @param roles as the database knows them; undefined when it knows no membership
   * @param asOf number of the last doubt before the statement was sent
   */
  #apply(user: UserEntry, roles: readonly string[] | undefined, asOf: number): void {
    const invalidation = this.#pending.get(user) ?? this.#stale.get(user);
    if (invalidation === undefined || invalidation > asOf) return;
    const wasPending = this.#pending.delete(user);
    this.#detach(user);
    if (roles !== undefined) {
      this.#members.set(user, this.#internRoleIds(roles));
      this.#addToAudiences(user);
    } else if (wasPending) {
      user.servers.delete(this);
    } else {
      this.#removed.add(user);
    }
  }

  #replaceRules(rules: ViewRules): void {
    const now = performance.now();
    for (const [channelId, deleted] of this.#deletedChannels) {
      if (rules.channels.has(channelId) || now - deleted.since > deletedChannelKeepMs)
        this.#deletedChannels.delete(channelId);
    }
    for (const [channelId, rule] of this.#rules?.channels ?? []) {
      if (!rules.channels.has(channelId)) this.#deletedChannels.set(channelId, { rule, since: now });
    }
    this.#rules = rules;
    this.#audiences.clear();
    this.#missingChannels.clear();
  }

  /** undefined for a channel that is not known. */
  #ruleOf(channelId: string): ChannelViewRule | null | undefined {
    const rule = this.#rules?.channels.get(channelId);
    return rule === undefined ? this.#deletedChannels.get(channelId)?.rule : rule;
  }

  #audienceOf(channelId: string, rule: ChannelViewRule): Set<UserEntry> {
    const known = this.#audiences.get(channelId);
    if (known !== undefined) return known;
    const audience = new Set<UserEntry>();
    const rules = this.#rules;
    if (rules !== null) {
      for (const [user, roles] of this.#members)
        if (mayViewChannel(rules, rule, { id: user.id, roles })) audience.add(user);
    }
    this.#audiences.set(channelId, audience);
    return audience;
  }

  #addToAudiences(user: UserEntry): void {
    const rules = this.#rules;
    const roles = this.#members.get(user);
    if (rules === null || roles === undefined) return;
    for (const [channelId, audience] of this.#audiences) {
      const rule = this.#ruleOf(channelId);
      if (rule !== undefined && mayViewChannel(rules, rule, { id: user.id, roles })) audience.add(user);
    }
  }

  /** Ids of roles are kept once, whatever the number of members who hold them. */
  #internRoleIds(roles: readonly string[]): readonly string[] {
    if (roles.length === 0) return noRoles;
    // Those of deleted roles would stay otherwise.
    if (this.#internedRoleIds.size > internedRoleIdsMax) this.#internedRoleIds.clear();
    return roles.map((role) => {
      const shared = this.#internedRoleIds.get(role) ?? role;
      this.#internedRoleIds.set(role, shared);
      return shared;
    });
  }
}
