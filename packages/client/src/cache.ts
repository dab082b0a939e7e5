import { applyEvent, followedEvents, setBlocked } from "./cache-events.js";
import { CacheReader, type CacheRest } from "./cache-reader.js";
import { doubtAfter } from "./cache-rights.js";
import { type CacheState, emptyState, setMember, stateOf } from "./cache-state.js";
import type { ChannelMark } from "./cached-marks.js";
import { asCached, type CachedMember } from "./cached-members.js";
import type { EventFollower, GatewayEvent } from "./gateway-options.js";
import type {
  AnyDmChannel,
  Channel,
  ChannelOverride,
  Member,
  MembersListQuery,
  PublicProfile,
  RawServer,
  Role,
  User,
} from "./generated/index.js";
import {
  defaultPermissions,
  resolveChannelPermissions,
  resolveServerPermissions,
} from "./generated/permission-formula.js";

/** Bounds of a {@link Cache}, and the requests that it makes by itself. */
export interface CacheOptions {
  /**
   * Most members in memory, 10,000 by default (about 6 MB): of more, those are dropped that were not seen or looked up the
   * longest. The user's own memberships do not count. Everything else is bounded by the servers that the user is in.
   */
  readonly membersMax?: number;
  /** `all`: the channels of every server are read after READY and SERVER_JOIN; otherwise by {@link Cache.load}. */
  readonly load?: "all";
}

const membersMaxDefault = 10_000;

/** Makes a cache for the option `cache` of a gateway. */
export const createCache = (client: CacheRest, options: CacheOptions = {}): Cache => new Cache(client, options);

/**
 * The user's view, kept right by the events of one gateway: an event is applied before its listeners and handlers run.
 * Its methods return at once and without requests; do not change the objects that they return.
 */
export class Cache implements EventFollower {
  /** The events that it follows. */
  readonly events: EventFollower["events"] = followedEvents;
  readonly #client: CacheRest;
  readonly #options: CacheOptions;
  readonly #membersMax: number;
  readonly #reader: CacheReader;
  #state: CacheState;
  /** Servers that were left before their channels were read, so that overrides of them may be left. */
  #leftUnread = new Set<string>();
  /** Users whose membership changed while pages of members are being read; one set for each page. */
  readonly #changed = new Set<Set<string>>();
  /** Blocks that changed while the list of them is being read; one list for each read. */
  readonly #blockChanges = new Set<GatewayEvent[]>();

  /** @hidden Made by {@link createCache}. */
  constructor(client: CacheRest, options: CacheOptions) {
    this.#client = client;
    this.#options = options;
    this.#membersMax = options.membersMax ?? membersMaxDefault;
    this.#state = emptyState(this.#membersMax);
    this.#reader = new CacheReader(client, () => this.#state);
  }

  /** The user's own profile; null before READY. */
  get user(): User | null {
    return this.#state.user;
  }

  /** The servers of the user, oldest first. */
  get servers(): readonly RawServer[] {
    const servers = [...this.#state.servers.values()].map(({ server }) => server);
    return servers.sort((one, other) => compare(one.created_at, other.created_at));
  }

  /** Direct-message channels, groups among them, the last used first. */
  get directChannels(): readonly AnyDmChannel[] {
    const usedAt = ({ last_message_at }: AnyDmChannel) => last_message_at ?? "";
    return [...this.#state.directChannels.values()].sort(
      (one, other) => compare(usedAt(other), usedAt(one)) || compare(other.created_at, one.created_at),
    );
  }

  /** How many members are in memory, beside the user's own memberships. */
  get memberCount(): number {
    return this.#state.members.size;
  }

  /** A server of the user; null for others. */
  server(serverId: string): RawServer | null {
    return this.#state.servers.get(serverId)?.server ?? null;
  }

  /** The roles of a server, the highest first, its everyone role last: that one has the server's id. */
  roles(serverId: string): readonly Role[] {
    const roles = [...(this.#state.servers.get(serverId)?.roles.values() ?? [])];
    return roles.sort(
      (one, other) =>
        Number(one.id === serverId) - Number(other.id === serverId) ||
        other.position - one.position ||
        compare(one.created_at, other.created_at),
    );
  }

  /** The channels of a server that the user may view, in their order; none until {@link Cache.load} has read them. */
  channels(serverId: string): readonly Channel[] {
    const channels = [...(this.#state.servers.get(serverId)?.channels?.values() ?? [])];
    return channels.sort((one, other) => one.position - other.position || compare(one.created_at, other.created_at));
  }

  /**
   * Whether {@link Cache.channels} equals the server's present answer. It does not before the list was read, and for a
   * moment after rights changed and after READY, until the cache has read it again; the former list stays meanwhile.
   */
  isCurrent(serverId: string): boolean {
    return this.#reader.isCurrent(serverId);
  }

  /** A channel from the lists that were read; null for others. */
  channel(channelId: string): Channel | null {
    for (const { channels } of this.#state.servers.values()) {
      const channel = channels?.get(channelId);
      if (channel !== undefined) return channel;
    }
    return null;
  }

  /** The overrides of a channel that the user may view. */
  overrides(channelId: string): readonly ChannelOverride[] {
    return [...(this.#state.overrides.get(channelId)?.values() ?? [])];
  }

  /** The unread messages of a channel or of direct messages. */
  mark(channelId: string): ChannelMark {
    return this.#state.marks.get(channelId);
  }

  /**
   * A member whom the cache has seen: in events, as the author of a message, or by {@link Cache.fetchMembers}. Names
   * are as they were seen last; those of a connection with `members: "all"` are never old.
   */
  member(serverId: string, userId: string): CachedMember | null {
    const { servers, members, user } = this.#state;
    return userId === user?.id ? (servers.get(serverId)?.own ?? null) : members.get(serverId, userId);
  }

  /**
   * Bits of `Permission` that a member has in a server or, with `channelId`, in a channel; of the user themself by default.
   * Null while the member's roles or the channel are not known: {@link Cache.load} reads both for the user.
   */
  permissions(serverId: string, channelId: string | null = null, userId = this.#state.user?.id ?? ""): number | null {
    const known = this.#state.servers.get(serverId);
    const ids = this.member(serverId, userId)?.role_ids ?? null;
    if (known === undefined || ids === null) return null;
    if (channelId !== null && known.channels?.has(channelId) !== true) return null;
    const isOwner = known.server.owner_id === userId;
    const everyone = known.roles.get(serverId) ?? { id: serverId, permissions: defaultPermissions };
    const roles = ids.flatMap((id) => known.roles.get(id) ?? []);
    if (channelId === null) return resolveServerPermissions({ isOwner, everyone, roles });
    return resolveChannelPermissions({ isOwner, userId, everyone, roles, overrides: this.overrides(channelId) });
  }

  /**
   * Reads the channels of a server and the user's membership there; resolves at once when the cache has them already.
   *
   * @throws ParleyError when they cannot be read; Error for a server that the user is not in
   */
  load(serverId: string): Promise<void> {
    return this.#reader.load(serverId);
  }

  /**
   * Reads a page of members as `client.members.list` does, and keeps them.
   *
   * @throws ParleyError as every request
   */
  async fetchMembers(serverId: string, query: MembersListQuery = {}): Promise<Member[]> {
    return this.#fetch(serverId, () => this.#client.members.list(serverId, query));
  }

  /**
   * Reads one member and keeps them.
   *
   * @throws ParleyError as every request
   */
  async fetchMember(serverId: string, userId: string): Promise<Member | null> {
    const [member = null] = await this.#fetch(serverId, async () => [await this.#client.members.get(serverId, userId)]);
    return member;
  }

  /**
   * Reads whom the user has blocked, and keeps it: mentions by them do not count. Without it the cache knows the blocks that
   * were made while it was connected; the counts of READY leave all of them out.
   *
   * @throws ParleyError as every request
   */
  async fetchBlocks(): Promise<PublicProfile[]> {
    const changes: GatewayEvent[] = [];
    this.#blockChanges.add(changes);
    try {
      const { blocks } = await this.#client.blocks.list();
      const now = new Set(blocks.map(({ id }) => id));
      for (const id of new Set([...now, ...this.#state.blocked])) setBlocked(this.#state, id, now.has(id));
      for (const event of changes) applyEvent(this.#state, event);
      return blocks;
    } finally {
      this.#blockChanges.delete(changes);
    }
  }

  /** @hidden Called by the gateway with every event, before anybody else. */
  apply(event: GatewayEvent): void {
    if (event.name === "READY") {
      const { servers } = event.data;
      this.#reader.reset(servers.map(({ id }) => id));
      this.#state = stateOf(event.data, this.#state, this.#membersMax);
      this.#leftUnread.clear();
      for (const [id, { channels }] of this.#state.servers) if (channels !== null) this.#reader.readSoon(id);
      for (const { id } of servers) this.#loadIfAll(id);
      return;
    }
    const doubt = doubtAfter(this.#state, event);
    this.#reader.follow(event);
    this.#noteMember(event);
    if (event.name === "SERVER_LEAVE") {
      const { server_id } = event.data;
      if (this.#state.servers.get(server_id)?.channels === null) this.#leftUnread.add(server_id);
      this.#reader.leave(server_id);
    }
    if (event.name === "BLOCK_UPDATE") for (const changes of this.#blockChanges) changes.push(event);
    applyEvent(this.#state, event);
    if (event.name === "SERVER_JOIN") {
      const { id } = event.data.server;
      this.#reader.join(id, this.#leftUnread.has(id));
      this.#loadIfAll(id);
    }
    if (doubt === null) return;
    if ("serverId" in doubt) this.#reader.doubt(doubt.serverId);
    else void this.#reader.doubtServerOf(doubt.channelId);
  }

  /** @hidden Called by the gateway at its end: nothing is read any more, and everything stays readable. */
  close(): void {
    this.#reader.close();
  }

  #loadIfAll(serverId: string): void {
    if (this.#options.load === "all") this.#reader.readSoon(serverId);
  }

  /** If an event changed a membership meanwhile, the page's entry of the member may be older than the event. */
  #noteMember({ name, data }: GatewayEvent): void {
    if (!name.startsWith("MEMBER_")) return;
    const id = "user_id" in data ? data.user_id : "member" in data ? data.member.user_id : null;
    if (typeof id === "string") for (const changed of this.#changed) changed.add(id);
  }

  async #fetch(serverId: string, read: () => Promise<Member[]>): Promise<Member[]> {
    const changed = new Set<string>();
    const known = this.#state.servers.get(serverId);
    this.#changed.add(changed);
    try {
      const page = await read();
      // After READY, and after leaving, it is a page from before.
      const isOld = this.#state.servers.get(serverId) !== known;
      for (const member of isOld ? [] : page) {
        if (!changed.has(member.user_id)) setMember(this.#state, serverId, asCached(member));
      }
      return page;
    } finally {
      this.#changed.delete(changed);
    }
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
