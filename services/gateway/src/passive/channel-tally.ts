import { unreadCountedMax } from "@parley/database";
import { recentMessagesMax } from "../limits.js";

/** A message in a channel's list, not a reply in a thread. */
export interface TalliedMessage {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly authorId: string | null;
  readonly mentionsEveryone: boolean;
  /** The users whom it mentions by name. */
  readonly mentioned: readonly string[];
  /** Whether it mentions a role or those who are connected: then {@link GroupMention} has the users. */
  readonly mentionsGroup: boolean;
}

/** A message that mentions a user by a group, and not by name or with everyone. */
export interface GroupMention {
  userId: string;
  at: number;
  authorId: string | null;
}

type Mention = Pick<TalliedMessage, "at" | "authorId">;

/**
 * The newest messages of a channel, up to {@link unreadCountedMax}, and the users' counts of unread ones: those of
 * READY, kept up to date by events instead of being read again for every user (docs/protocol/messages.md#7.8).
 */
export class ChannelTally {
  /** Ascending. */
  #times: number[];
  /** Times of each author's own messages, ascending. */
  readonly #own = new Map<string, number[]>();
  /** Ascending by time; of one user those without {@link #everyone}. */
  readonly #everyone: Mention[] = [];
  readonly #mentions = new Map<string, Mention[]>();
  /** Of the users whose group mentions are loaded. */
  readonly #byGroup = new Map<string, Mention[]>();
  /** By the id of a message: the users whom it mentions by name, or that it mentions everyone. */
  readonly #mentioned = new Map<string, string>();
  /** Counted messages that may still arrive as an event. */
  readonly #recent: Set<string>;
  #newest: { id: string; at: number } | null;

  /**
   * @param messages.times with the authors, ascending by time
   * @param messages.mentioning those that mention somebody
   * @param messages.recent the newest ids, newest first
   */
  constructor(messages: {
    times: readonly (readonly [at: number, authorId: string | null])[];
    mentioning: readonly TalliedMessage[];
    recent: readonly string[];
  }) {
    const { times, mentioning, recent } = messages;
    this.#times = times.map(([at]) => at);
    for (const [at, authorId] of times) if (authorId !== null) listOf(this.#own, authorId).push(at);
    for (const message of mentioning) this.#addMentions(message);
    this.#recent = new Set(recent.toReversed());
    const [id] = recent;
    this.#newest = id === undefined ? null : { id, at: this.#times.at(-1) ?? 0 };
  }

  get lastMessageId(): string | null {
    return this.#newest?.id ?? null;
  }

  /** The authors of messages that mention somebody. */
  get mentioningAuthors(): Set<string> {
    const byUser = [...this.#mentions.values(), ...this.#byGroup.values()];
    const mentions = [...this.#everyone, ...byUser.flat()];
    return new Set(mentions.flatMap(({ authorId }) => authorId ?? []));
  }

  /** A message of an event. One that is counted already changes nothing. */
  add(message: TalliedMessage): void {
    const { id, at, authorId } = message;
    if (this.#recent.has(id)) return;
    this.#recent.add(id);
    const [oldest] = this.#recent;
    if (this.#recent.size > recentMessagesMax && oldest !== undefined) this.#recent.delete(oldest);
    insert(this.#times, at, (time) => time);
    if (authorId !== null) insert(listOf(this.#own, authorId), at, (time) => time);
    this.#addMentions(message);
    if (this.#newest === null || at >= this.#newest.at) this.#newest = { id, at };
    // Not at every message, as it copies the list.
    if (this.#times.length > 2 * unreadCountedMax) this.#times = this.#times.slice(-unreadCountedMax);
  }

  /** Group mentions of a user whose counts are read from now on; ascending by time. */
  addGroupMention({ userId, at, authorId }: GroupMention): void {
    listOf(this.#byGroup, userId).push({ at, authorId });
  }

  /** How many messages of others came after a time. */
  unreadSince(userId: string, at: number): number {
    const begin = Math.max(
      firstAfter(this.#times, at, (time) => time),
      this.#times.length - unreadCountedMax,
    );
    const own = this.#own.get(userId);
    const total = this.#times.length - begin;
    if (own === undefined || total === 0) return total;
    const from = Math.max(at, (this.#times[begin] ?? 0) - 1);
    return total - (own.length - firstAfter(own, from, (time) => time));
  }

  /** How many of them mention a user, and are not by somebody whom they have blocked. */
  mentionsSince(userId: string, at: number, isBlocked: (authorId: string) => boolean): number {
    let count = 0;
    for (const mentions of [this.#everyone, this.#mentions.get(userId) ?? [], this.#byGroup.get(userId) ?? []]) {
      for (let index = firstAfter(mentions, at, timeOf); index < mentions.length; index += 1) {
        const authorId = mentions[index]?.authorId ?? null;
        if (authorId === null || (authorId !== userId && !isBlocked(authorId))) count += 1;
      }
    }
    return count;
  }

  /** Whom a message mentions: ids in their order, separated by commas, or `everyone`; `group` for one that mentions a group. */
  mentionsIn(id: string): string {
    return this.#mentioned.get(id) ?? "";
  }

  #addMentions({ id, at, authorId, mentionsEveryone, mentioned, mentionsGroup }: TalliedMessage): void {
    if (!mentionsEveryone && mentioned.length === 0 && !mentionsGroup) return;
    this.#mentioned.set(id, mentionsGroup ? "group" : mentionsEveryone ? "everyone" : mentioned.toSorted().join(","));
    if (mentionsEveryone) insert(this.#everyone, { at, authorId }, timeOf);
    else for (const userId of new Set(mentioned)) insert(listOf(this.#mentions, userId), { at, authorId }, timeOf);
  }
}

const timeOf = ({ at }: Mention): number => at;

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: Item[] = [];
  lists.set(key, list);
  return list;
}

/** Inserts where it belongs: at the end, unless another process stored a later message first. */
function insert<Item>(list: Item[], item: Item, at: (item: Item) => number): void {
  const last = list.at(-1);
  if (last === undefined || at(last) <= at(item)) list.push(item);
  else list.splice(firstAfter(list, at(item), at), 0, item);
}

/** Index of the first item after a time, in an ascending list. */
function firstAfter<Item>(list: readonly Item[], time: number, at: (item: Item) => number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle];
    if (item !== undefined && at(item) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
