import { setTimeout as pause } from "node:timers/promises";
import { permissionsReloadPauseFactor, permissionsReloadPauseMsMax } from "../limits.js";
import { crc32 } from "../query/shard.js";
import type { SerialQueue } from "../scheduling/serial-queue.js";
import type { Subscription } from "../stream/subscriptions.js";
import type { Activity } from "./activity.js";
import { Announcements } from "./announcements.js";
import { ChannelAudiences } from "./channel-audiences.js";
import { Departures } from "./departures.js";
import type { LoadPermissions } from "./load-permissions.js";
import { LoadedRules } from "./loaded-rules.js";
import { RoleIds } from "./role-ids.js";
import type { UserEntry } from "./user-entry.js";

/**
 * One server with members on this node: its local members, and the channels that each may view.
 *
 * A local user of the server is in one of three states:
 * (none)  → pending          their join was received
 * pending → member           a statement sent after that found the membership
 * pending → (none)           it found none
 * member  → removed          a statement found no membership, but the event of the leave has not been processed yet
 * member, removed → pending  that event was processed
 *
 * Members receive the server's events and those of the channels that they may view. The former roles of removed users
 * are not stored any more. Until their leave is processed they receive the events that every member receives: those
 * of the server, including their own MEMBER_KICK, and of unrestricted channels. Pending users receive nothing; the
 * server's queue waits until their state is loaded.
 */
export class ServerEntry {
  /** Checksum of the id, which determines the server's shard. */
  readonly crc: number;
  /** Members and the ids of their roles. */
  readonly #members = new Map<UserEntry, readonly string[]>();
  /** Members with a connection that gets the presence of all co-members. */
  readonly #presenceAudience = new Set<UserEntry>();
  /** Members and removed users with a connection that gets the joins, changes and leaves of all members. */
  readonly #memberWatchers = new Set<UserEntry>();
  /** Members and removed users with a connection that shows channels. */
  readonly #showing = new Set<UserEntry>();
  /** While the server is passive: members and removed users with a connection that gets everything nevertheless. */
  readonly #hearingEverything = new Set<UserEntry>();
  #isPassive = false;
  /** Not null while the server is passive, and for a while after it. */
  #activity: Activity | null = null;
  readonly #removed = new Set<UserEntry>();
  readonly #pending = new Map<UserEntry, number>();
  /** Members and removed users whose roles or membership may have changed; they keep their state until it is loaded. */
  readonly #stale = new Map<UserEntry, number>();
  /**
   * Counts the invalidations of users (the values of both maps) and of the rules. The result of a statement resolves
   * only those that precede its sending.
   */
  #invalidations = 1;
  readonly #rules = new LoadedRules();
  /** Numbers of the last invalidation of the rules, and of the last one before the statement that loaded them. */
  #rulesInvalidation = 1;
  #rulesLoadedAsOf = 0;
  /** Earliest time of the next load, by `performance.now()`. */
  #nextLoadAt = 0;
  readonly announcements = new Announcements();
  readonly departures: Departures;
  readonly #audiences = new ChannelAudiences(this.#members, this.#rules);
  readonly #roleIds = new RoleIds();
  /** Time of the last invalidation of rules or roles, by `performance.now()`. */
  #changedAt = 0;
  /** Time of the subscription's confirmation, after which no change is missed, by `performance.now()`. */
  #confirmedAt = Number.POSITIVE_INFINITY;

  constructor(
    readonly id: string,
    readonly subscription: Subscription,
    readonly queue: SerialQueue,
    private readonly loadPermissions: LoadPermissions,
  ) {
    this.crc = crc32(id);
    this.departures = new Departures(queue);
  }

  /** Whether no user is in any of the states above, and none is to leave. */
  get isEmpty(): boolean {
    return this.departures.isEmpty && this.#members.size + this.#removed.size + this.#pending.size === 0;
  }

  /** Whether a user is in any of the states above. */
  has(user: UserEntry): boolean {
    return this.#members.has(user) || this.#removed.has(user) || this.#pending.has(user);
  }

  /** Users in any state. */
  allUsers(): UserEntry[] {
    return [...this.#members.keys(), ...this.#removed, ...this.#pending.keys()];
  }

  /** Whether a user is in the state member. */
  isMember(user: UserEntry): boolean {
    return this.#members.has(user);
  }

  /** Members with a connection that gets the presence of all co-members. */
  get presenceAudience(): Iterable<UserEntry> {
    return this.#presenceAudience;
  }

  /** Recipients of events about members: those of {@link serverAudience} with a connection that gets them. */
  get memberWatchers(): ReadonlySet<UserEntry> {
    return this.#memberWatchers;
  }

  updateAudiences(user: UserEntry): void {
    if (this.#members.has(user) && user.hearsComembers) this.#presenceAudience.add(user);
    else this.#presenceAudience.delete(user);
    const isRecipient = this.isInServerAudience(user);
    if (isRecipient && user.watchesMembers) this.#memberWatchers.add(user);
    else this.#memberWatchers.delete(user);
    if (isRecipient && user.showsChannels) this.#showing.add(user);
    else this.#showing.delete(user);
    if (isRecipient && user.hearsEverything && this.isPassive) this.#hearingEverything.add(user);
    else this.#hearingEverything.delete(user);
  }

  /** Members and removed users with a connection that shows channels. */
  get showing(): ReadonlySet<UserEntry> {
    return this.#showing;
  }

  /** While the server is passive: members and removed users with a connection that gets everything nevertheless. */
  get hearingEverything(): ReadonlySet<UserEntry> {
    return this.#hearingEverything;
  }

  /**
   * The sums of omitted events while the server is passive (docs/protocol/passive-servers.md#27), and for a while after, because
   * connections that continue get them; null for a server that has not been passive lately.
   */
  get activity(): Activity | null {
    return this.#activity;
  }

  get isPassive(): boolean {
    return this.#isPassive;
  }

  /** Whether connections that show channels get only events concerning these from now on. */
  setPassive(isPassive: boolean): void {
    this.#isPassive = isPassive;
    if (isPassive) for (const user of this.serverAudience()) this.updateAudiences(user);
    else this.#hearingEverything.clear();
  }

  /** Starts to count unread messages, or stops if null. */
  setActivity(activity: Activity | null): void {
    this.#activity?.close();
    this.#activity = activity;
  }

  /** Whether a user is in the state pending. */
  isPending(user: UserEntry): boolean {
    return this.#pending.has(user);
  }

  /** Recipients of events about the server itself. */
  *serverAudience(): Iterable<UserEntry> {
    yield* this.#members.keys();
    yield* this.#removed;
  }

  isInServerAudience(user: UserEntry): boolean {
    return this.#members.has(user) || this.#removed.has(user);
  }

  /** Recipients of a channel's events; requires {@link isLoaded}. */
  viewers(channelId: string): Iterable<UserEntry> {
    const rule = this.#rules.ruleOf(channelId);
    if (rule === undefined) return [];
    if (rule === null) return this.serverAudience();
    return this.#audiences.of(channelId, rule);
  }

  /** Number of the {@link viewers} of a channel, or of the {@link serverAudience} if null. */
  audienceSize(channelId: string | null): number {
    const rule = channelId === null ? null : this.#rules.ruleOf(channelId);
    if (channelId === null || rule === null) return this.#members.size + this.#removed.size;
    return rule === undefined ? 0 : this.#audiences.of(channelId, rule).size;
  }

  /** Whether a user is among the {@link viewers}. */
  isViewer(user: UserEntry, channelId: string): boolean {
    const rule = this.#rules.ruleOf(channelId);
    if (rule === undefined) return false;
    return rule === null ? this.isInServerAudience(user) : this.#audiences.of(channelId, rule).has(user);
  }

  /** The members of this node who hold one of the roles. */
  *holdersOf(roleIds: readonly string[]): Iterable<UserEntry> {
    for (const [user, roles] of this.#members) if (roleIds.some((id) => roles.includes(id))) yield user;
  }

  /** The roles of a member of this node. */
  rolesOf(user: UserEntry): readonly string[] {
    return this.#members.get(user) ?? [];
  }

  /** Whether the rules admit a member to an event that says itself whom it is for; requires {@link areRulesLoaded}. */
  admits(user: UserEntry, admits: (rules: LoadedRules, member: { id: string; roles: readonly string[] }) => boolean) {
    const roles = this.#members.get(user);
    return roles !== undefined && admits(this.#rules, { id: user.id, roles });
  }

  /** Whether the recipients of an event in this channel, or of the server's if null, are known without {@link load}. */
  isLoaded(channelId: string | null): boolean {
    if (this.#pending.size > 0 || !this.announcements.isEmpty) return false;
    if (channelId === null) return true;
    return this.areRulesLoaded && this.#rules.has(channelId);
  }

  /** Whether owner, administrators and the roles of all members are known without {@link load}. */
  get areRulesLoaded(): boolean {
    return this.#rulesInvalidation <= this.#rulesLoadedAsOf && this.#stale.size === 0;
  }

  /**
   * Reads rules, pending and stale users from the database; rejects when that fails. One load resolves every earlier
   * invalidation. Large servers pause between two loads, so that each occupies only a part of one database connection.
   */
  async load(channelId: string | null): Promise<void> {
    const pauseMs = this.#nextLoadAt - performance.now();
    if (pauseMs > 1) await pause(pauseMs);
    const startedAt = performance.now();
    const asOf = this.#invalidations;
    const wereRulesValid = this.#rulesInvalidation <= this.#rulesLoadedAsOf;
    const users = [...this.#pending.keys(), ...this.#stale.keys()];
    const answer = await this.loadPermissions({ serverId: this.id, userIds: users.map((user) => user.id) });
    // When only users were invalid, audiences stay valid for other members, so they are not computed again.
    const areAudiencesValid = wereRulesValid && this.#rules.current?.ownerId === answer.rules?.ownerId;
    if (answer.rules !== null && !areAudiencesValid) this.#audiences.clear();
    this.#rules.replace(answer.rules, channelId);
    this.#rulesLoadedAsOf = asOf;
    for (const user of users) this.#apply(user, answer.members.get(user.id), asOf);
    const now = performance.now();
    if (answer.isLarge)
      this.#nextLoadAt = now + Math.min((now - startedAt) * permissionsReloadPauseFactor, permissionsReloadPauseMsMax);
  }

  /** Called when NATS has confirmed the subscription. */
  confirmSubscription(): void {
    this.#confirmedAt = Math.min(this.#confirmedAt, performance.now());
  }

  /**
   * Adds a user who connected, with the roles that their memberships were loaded with.
   *
   * @param readAt when that statement was sent, by `performance.now()`
   */
  addLoaded(user: UserEntry, roles: readonly string[], readAt: number): void {
    if (this.has(user)) return;
    user.enter(this);
    this.#addMember(user, roles);
    if (this.#confirmedAt < readAt && this.#changedAt < readAt) this.#audiences.add(user, roles);
    else this.#stale.set(user, ++this.#invalidations);
  }

  /**
   * Called when a join is received. The entry is not empty from now on, and its queue waits until the membership is
   * loaded. A user who is still a member keeps receiving the events before the leave that preceded this join,
   * MEMBER_KICK among them: that leave is still queued, or not received yet.
   */
  join(user: UserEntry): void {
    if (this.#members.has(user) || this.#removed.has(user)) this.#stale.set(user, ++this.#invalidations);
    else this.#markPending(user);
  }

  /**
   * Called when a leave is processed, in the order of the server's events. The next load finds a rejoin.
   */
  leave(user: UserEntry): void {
    this.#detach(user);
    this.#markPending(user);
  }

  /** Ends the deliveries to a removed user whose connections will not learn of the membership that has ended. */
  forgetRemoved(user: UserEntry): void {
    if (!this.#removed.has(user)) return;
    user.exit(this);
    this.#detach(user);
  }

  /** Removes a user at the end of their last connection. */
  remove(user: UserEntry): void {
    user.exit(this);
    this.#detach(user);
    this.#pending.delete(user);
    this.announcements.drop(user);
  }

  /** Removes all users when the server is deleted. With the audiences cleared, none is searched for each user. */
  end(): void {
    this.#audiences.clear();
    for (const user of this.allUsers()) this.remove(user);
  }

  /** Called when an event that changes roles or overrides is received. */
  invalidateRules(): void {
    this.#rulesInvalidation = ++this.#invalidations;
    this.#changedAt = performance.now();
  }

  /** Invalidates the rules and the roles of every member. */
  invalidateAll(): void {
    this.invalidateRules();
    for (const user of this.#members.keys()) this.#stale.set(user, ++this.#invalidations);
  }

  /** Invalidates the roles of one user; undefined for one without connections here. */
  invalidateMember(user: UserEntry | undefined): void {
    this.#changedAt = performance.now();
    if (user !== undefined && this.#members.has(user)) this.#stale.set(user, ++this.#invalidations);
  }

  #markPending(user: UserEntry): void {
    user.enter(this);
    this.#pending.set(user, ++this.#invalidations);
  }

  #addMember(user: UserEntry, roles: readonly string[]): void {
    this.#members.set(user, this.#roleIds.intern(roles));
    this.updateAudiences(user);
  }

  /** Removes a user from every collection but the pending ones. */
  #detach(user: UserEntry): void {
    this.#members.delete(user);
    this.#presenceAudience.delete(user);
    this.#memberWatchers.delete(user);
    this.#showing.delete(user);
    this.#hearingEverything.delete(user);
    this.#activity?.forget(user.id);
    this.#removed.delete(user);
    this.#stale.delete(user);
    this.#audiences.delete(user);
  }

  /**
   * Applies a statement's result about a user.
   *
   * @param roles undefined for no membership
   * @param asOf number of the last invalidation before the statement was sent
   */
  #apply(user: UserEntry, roles: readonly string[] | undefined, asOf: number): void {
    const invalidation = this.#pending.get(user) ?? this.#stale.get(user);
    if (invalidation === undefined || invalidation > asOf) return;
    const wasPending = this.#pending.delete(user);
    this.#detach(user);
    if (roles !== undefined) {
      this.#addMember(user, roles);
      this.#audiences.add(user, roles);
    } else if (wasPending) {
      user.exit(this);
    } else {
      this.#removed.add(user);
      this.updateAudiences(user);
    }
  }
}
