import type { DispatchEvents, Ready } from "./generated/index.js";

/** What is unread in a channel. */
export interface ChannelMark {
  /** Messages by others since the mark. */
  readonly unread_count: number;
  /** Those of them that mention the user. */
  readonly mention_count: number;
  /** When the user marked the channel as read; null where that was before the connection. */
  readonly last_read_at: string | null;
}

const nothing: ChannelMark = { unread_count: 0, mention_count: 0, last_read_at: null };

/** Read marks, and what is unread since: READY has the counts, and each new message by others is counted. */
export class CachedMarks {
  readonly #marks = new Map<string, ChannelMark>();

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

  read({ channel_id, ...mark }: DispatchEvents["READ_STATE_UPDATE"]): void {
    this.#marks.set(channel_id, mark);
  }

  /** What the server counted of messages that it did not send. */
  told(channelId: string, counts: Pick<ChannelMark, "unread_count" | "mention_count">): void {
    this.#marks.set(channelId, { ...this.get(channelId), ...counts });
  }

  count(channelId: string, isMention: boolean): void {
    const mark = this.get(channelId);
    const mention_count = mark.mention_count + (isMention ? 1 : 0);
    this.#marks.set(channelId, { ...mark, unread_count: mark.unread_count + 1, mention_count });
  }

  delete(channelId: string): void {
    this.#marks.delete(channelId);
  }
}
