import type { ReceivedEvent } from "@parley/messaging";
import { KeyedMutex } from "@parley/service-runtime";
import { timeOfId } from "../delivery-delays.js";
import { mentionedUsers } from "../fan-out/concerned.js";
import { talliesMax, tallyLoadsMax } from "../limits.js";
import type { ChannelTally, TalliedMessage } from "./channel-tally.js";
import type { TallyLoader } from "./load-tallies.js";

/** A user's unread messages in a channel. */
export interface ChannelCounts {
  lastMessageId: string | null;
  unread: number;
  mentions: number;
}

/** A channel's tally, and when users have read it, in milliseconds since 1970. */
interface TalliedChannel {
  /** Null when it has to be read again. */
  tally: ChannelTally | null;
  readonly marks: Map<string, number>;
  /** Counts events after which the tally has to be read again. */
  changes: number;
  /** Messages that arrive while it is read; null at other times. */
  later: TalliedMessage[] | null;
}

/**
 * The counts of unread messages of one passive server's users on this node: of channels with omitted events, at most
 * {@link talliesMax}. It reads them once; events of the server and of its users keep them current.
 */
export class ServerTallies {
  /** The one that was used last at the end. */
  readonly #channels = new Map<string, TalliedChannel>();
  /** When the users joined; users whose marks are not loaded are missing. */
  readonly #joined = new Map<string, number>();
  #blockers: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  readonly #loads = new KeyedMutex();

  constructor(
    private readonly serverId: string,
    private readonly loader: TallyLoader,
  ) {}

  /** Number of channels whose messages are kept. */
  get size(): number {
    return this.#channels.size;
  }

  /**
   * Loads the data for {@link counts} of channels and users. Rejects when a statement fails.
   *
   * @param userIds of the users whose counts the caller reads then
   */
  prepare(channelIds: readonly string[], userIds: readonly string[]): Promise<void> {
    return this.#loads.run("", () => this.#prepare(channelIds, userIds));
  }

  /** Called for every event of the server, in their order. @returns whether it changed unread counts */
  apply(event: ReceivedEvent): boolean {
    const { scope, event: name } = event.address;
    const channelId = scope.kind === "server" ? scope.channelId : null;
    if (channelId === null) return false;
    const channel = this.#channels.get(channelId);
    if (name === "MESSAGE_CREATE" && !event.recovered) {
      const message = talliedOf(event);
      if (message === null) return false;
      if (message.mentionsGroup) {
        // The database has the users of the moment when it was stored.
        if (channel !== undefined) readAgain(channel);
        return true;
      }
      channel?.tally?.add(message);
      channel?.later?.push(message);
      return true;
    }
    if (!changesUnread(event, channel?.tally ?? null)) return false;
    if (channel !== undefined) readAgain(channel);
    return true;
  }

  /** The event of a user's mark, in the order of their marks: a mark goes back, too. */
  markRead(userId: string, channelId: string, at: number): void {
    this.#channels.get(channelId)?.marks.set(userId, at);
  }

  /** A user has no connection here any more, or left the server: their counts are loaded again. */
  forget(userId: string): void {
    this.#joined.delete(userId);
    for (const { marks } of this.#channels.values()) marks.delete(userId);
  }

  /** A user's unread messages in a channel; null when they are not loaded. */
  counts(userId: string, channelId: string): ChannelCounts | null {
    const channel = this.#channels.get(channelId);
    const joinedAt = this.#joined.get(userId);
    if (channel === undefined || channel.tally === null || joinedAt === undefined) return null;
    const { tally, marks } = channel;
    const mark = Math.max(marks.get(userId) ?? 0, joinedAt);
    const unread = tally.unreadSince(userId, mark);
    const isBlocked = (authorId: string) => this.#blockers.get(authorId)?.has(userId) === true;
    const mentions = unread === 0 ? 0 : tally.mentionsSince(userId, mark, isBlocked);
    return { lastMessageId: tally.lastMessageId, unread, mentions };
  }

  async #prepare(channelIds: readonly string[], userIds: readonly string[]): Promise<void> {
    const newUsers = userIds.filter((id) => !this.#joined.has(id));
    const knownUsers = [...this.#joined.keys()];
    const newChannels = channelIds.filter((id) => !this.#channels.has(id));
    // From here on events are applied to them.
    for (const id of channelIds) this.#use(id);
    try {
      this.#setMarks(await this.loader.marks(newChannels, knownUsers));
    } catch (error) {
      for (const id of newChannels) this.#channels.delete(id);
      throw error;
    }
    if (newUsers.length > 0) await this.#loadUsers(newUsers);
    for (let attempt = 1; attempt <= tallyLoadsMax; attempt += 1) await this.#loadTallies(channelIds, attempt);
    const authors = channelIds.flatMap((id) => [...(this.#channels.get(id)?.tally?.mentioningAuthors ?? [])]);
    this.#blockers = await this.loader.blockers([...new Set(authors)]);
  }

  async #loadUsers(userIds: readonly string[]): Promise<void> {
    this.#setMarks(await this.loader.marks([...this.#channels.keys()], userIds));
    const loaded = [...this.#channels].filter(([, { tally }]) => tally !== null);
    const groups = await this.loader.groupMentions(
      loaded.map(([id]) => id),
      userIds,
    );
    // A tally that has to be read again meanwhile is loaded with them.
    for (const [id, { tally }] of loaded) for (const mention of groups.get(id) ?? []) tally?.addGroupMention(mention);
    for (const [userId, at] of await this.loader.joined(this.serverId, userIds)) this.#joined.set(userId, at);
  }

  async #loadTallies(channelIds: readonly string[], attempt: number): Promise<void> {
    const loading = channelIds.flatMap((id) => {
      const channel = this.#channels.get(id);
      return channel === undefined || channel.tally !== null ? [] : [{ id, channel, changes: channel.changes }];
    });
    if (loading.length === 0) return;
    for (const { channel } of loading) channel.later = [];
    try {
      const ids = loading.map(({ id }) => id);
      const loaded = await this.loader.tallies(ids);
      const groups = await this.loader.groupMentions(ids, [...this.#joined.keys()]);
      for (const { id, channel, changes } of loading) {
        const tally = loaded.get(id);
        // A message that was deleted while the statement ran may be in its result; the event of the deletion follows.
        if (tally === undefined || (channel.changes !== changes && attempt < tallyLoadsMax)) continue;
        for (const mention of groups.get(id) ?? []) tally.addGroupMention(mention);
        for (const message of channel.later ?? []) tally.add(message);
        channel.tally = tally;
      }
    } finally {
      for (const { channel } of loading) channel.later = null;
    }
  }

  /** A mark of an event stays: it is the later one, or the event of the loaded one follows. */
  #setMarks(loaded: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
    for (const [channelId, marks] of loaded) {
      const known = this.#channels.get(channelId)?.marks;
      for (const [userId, at] of marks) if (known?.has(userId) === false) known.set(userId, at);
    }
  }

  #use(channelId: string): void {
    const channel = this.#channels.get(channelId) ?? { tally: null, marks: new Map(), changes: 0, later: null };
    this.#channels.delete(channelId);
    this.#channels.set(channelId, channel);
    const [oldest] = this.#channels.keys();
    if (this.#channels.size > talliesMax && oldest !== undefined) this.#channels.delete(oldest);
  }
}

function talliedOf(event: ReceivedEvent): TalliedMessage | null {
  const { message: id = "", author, mentions, roles, here } = event.facts;
  const at = timeOfId(id);
  if (at === null) return null;
  return {
    id,
    at,
    authorId: author ?? null,
    mentionsEveryone: mentions === "everyone",
    mentioned: mentionedUsers(event),
    mentionsGroup: roles !== undefined || here !== undefined,
  };
}

/** Whether an event other than a new message changed unread counts. The tally lacks the ids of its messages. */
function changesUnread(event: ReceivedEvent, tally: ChannelTally | null): boolean {
  switch (event.address.event) {
    case "MESSAGE_CREATE":
    case "MESSAGE_DELETE":
    case "MESSAGE_DELETE_BULK":
      return true;
    case "MESSAGE_UPDATE": {
      const { message: id, mentions, roles, here } = event.facts;
      if (id === undefined || roles !== undefined || here !== undefined) return true;
      const names = mentions === "everyone" ? mentions : mentionedUsers(event).toSorted().join(",");
      return names !== (tally?.mentionsIn(id) ?? "");
    }
    default:
      return false;
  }
}

function readAgain(channel: TalliedChannel): void {
  channel.changes += 1;
  channel.tally = null;
}
