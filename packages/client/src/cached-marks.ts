import type { DispatchEvents, Ready } from "./generated/index.js";

/** The unread messages of a channel. */
export interface ChannelMark {
  /** Messages by others since the mark. */
  readonly unread_count: number;
  /** Those of them that mention the user. */
  readonly mention_count: number;
  /** When the user marked the channel as read; null where that was before the connection. */
  readonly last_read_at: string | null;
}

/** A message that was counted as unread, and whether it mentions the user. */
export interface CountedMessage {
  readonly id: string;
  readonly author_id: string | null;
  readonly created_at: string;
  /** By name or with everyone; the author does not matter. */
  readonly names: boolean;
}

/** Most messages of a channel that are remembered for when they are deleted or edited. */
const rememberedMax = 1_000;

const nothing: ChannelMark = { unread_count: 0, mention_count: 0, last_read_at: null };

/** Read marks, and the unread messages since: READY has the counts, and each new message by others is counted. */
export class CachedMarks {
  readonly #marks = new Map<string, ChannelMark>();
  /** By channel: the messages counted since READY, the oldest first, also those read since: a mark goes back, too. */
  readonly #counted = new Map<string, readonly CountedMessage[]>();

  constructor(ready: Ready | null = null) {
    for (const { channel_id, unread_count } of ready?.unread_counts ?? []) {
      this.#marks.set(channel_id, { ...nothing, unread_count });
    }
    for (const { channel_id, count } of ready?.mention_counts ?? []) {
      this.#marks.set(channel_id, { ...this.get(channel_id), mention_count: count });
    }
  }

  get(channelId: string): ChannelMark {
    return this.#marks.get(channelId) ?? nothing;
  }

  /** The marks of threads are not kept. */
  read({ channel_id, thread_id, ...mark }: DispatchEvents["READ_STATE_UPDATE"]): void {
    if (thread_id !== undefined) return;
    this.#marks.set(channel_id, mark);
  }

  /** Counts of the server, for messages that it did not send. */
  setCounts(channelId: string, counts: Pick<ChannelMark, "unread_count" | "mention_count">): void {
    this.#marks.set(channelId, { ...this.get(channelId), ...counts });
  }

  /** A message of another user arrived. @param isMention whether it names the user, and is by nobody blocked */
  count(channelId: string, message: CountedMessage, isMention: boolean): void {
    const others = this.#counted.get(channelId) ?? [];
    this.#counted.set(channelId, [...others.slice(1 - rememberedMax), message]);
    if (this.#isUnread(channelId, message)) this.#change(channelId, 1, isMention ? 1 : 0);
  }

  /** A message is gone. @param isMention whether one that names the user counts as a mention */
  uncount(channelId: string, id: string, isMention: (message: CountedMessage) => boolean): void {
    const message = this.#find(channelId, id);
    if (message === undefined) return;
    this.#remember(channelId, (other) => (other.id === id ? null : other));
    if (this.#isUnread(channelId, message)) this.#change(channelId, -1, isMention(message) ? -1 : 0);
  }

  /** A message was edited, so that it names the user, or not any more. */
  recount(channelId: string, edited: CountedMessage, isMention: (message: CountedMessage) => boolean): void {
    const before = this.#find(channelId, edited.id);
    if (before === undefined) return;
    this.#remember(channelId, (other) => (other.id === edited.id ? edited : other));
    if (this.#isUnread(channelId, edited))
      this.#change(channelId, 0, Number(isMention(edited)) - Number(isMention(before)));
  }

  /** Mentions by somebody count from now on, or no more. */
  recountMentionsBy(authorId: string, isCounted: boolean): void {
    for (const [channelId, messages] of this.#counted) {
      const unread = messages.filter((message) => this.#isUnread(channelId, message));
      const mentions = unread.filter(({ author_id, names }) => names && author_id === authorId).length;
      this.#change(channelId, 0, isCounted ? mentions : -mentions);
    }
  }

  delete(channelId: string): void {
    this.#marks.delete(channelId);
    this.#counted.delete(channelId);
  }

  #isUnread(channelId: string, { created_at }: CountedMessage): boolean {
    return created_at > (this.get(channelId).last_read_at ?? "");
  }

  #find(channelId: string, id: string): CountedMessage | undefined {
    return this.#counted.get(channelId)?.find((message) => message.id === id);
  }

  #remember(channelId: string, change: (message: CountedMessage) => CountedMessage | null): void {
    const messages = this.#counted.get(channelId);
    if (messages === undefined) return;
    this.#counted.set(
      channelId,
      messages.flatMap((message) => change(message) ?? []),
    );
  }

  #change(channelId: string, unread: number, mentions: number): void {
    const mark = this.get(channelId);
    this.#marks.set(channelId, {
      ...mark,
      unread_count: Math.max(0, mark.unread_count + unread),
      mention_count: Math.max(0, mark.mention_count + mentions),
    });
  }
}
