import type { ChannelActivityEvent, ViewAckEvent } from "@parley/client";
import { type AppState, without } from "../store/app-state.js";

/** VIEW_ACK: other channels are in view, or other servers are passive (docs/protocol/passive-servers.md#27.2). */
export function onViewAck(state: AppState, { channel_ids, passive }: ViewAckEvent): AppState {
  const shown = new Set(channel_ids.filter((id) => state.shown.includes(id)));
  return { ...withMissed(state, passive, shown), shown: channel_ids, passive };
}

/** The connection continues, with the former channels in view. */
export function onResumed(state: AppState, passive: readonly string[] = []): AppState {
  return { ...withMissed(state, passive, new Set(state.shown)), passive };
}

/**
 * Marks channels that may lack events as stale, so that they are read again when they are shown: channels of servers
 * that are or were passive, without those that have been in view all the time.
 */
function withMissed(state: AppState, passive: readonly string[], shown: ReadonlySet<string>): AppState {
  const servers = new Set([...state.passive, ...passive]);
  if (servers.size === 0) return state;
  const isMissed = (id: string) => !shown.has(id) && servers.has(state.channels[id]?.server_id ?? "");
  const stale = <List extends AppState["histories"]>(lists: List, channelOf: (id: string) => string) =>
    Object.fromEntries(
      Object.entries(lists).map(([id, list]) => [id, isMissed(channelOf(id)) ? { ...list, isStale: true } : list]),
    );
  const quotedThere = Object.values(state.quoted).filter((message) => message !== null && isMissed(message.channel_id));
  return {
    ...state,
    histories: stale(state.histories, (id) => id),
    threads: stale(state.threads, (id) => state.threads[id]?.messages[0]?.channel_id ?? ""),
    pins: without(state.pins, Object.keys(state.pins).filter(isMissed)),
    quoted: without(
      state.quoted,
      quotedThere.flatMap((message) => message?.id ?? []),
    ),
  };
}

/** CHANNEL_ACTIVITY: the unread messages of channels with omitted events. */
export function onChannelActivity(state: AppState, { channels }: ChannelActivityEvent): AppState {
  const counts = channels.filter(({ channel_id, last_message_id }) => !isReadHere(state, channel_id, last_message_id));
  const ids = counts.map(({ channel_id }) => channel_id);
  const above = (of: "unread_count" | "mention_count") =>
    Object.fromEntries(counts.filter((one) => one[of] > 0).map((one) => [one.channel_id, one[of]]));
  return {
    ...state,
    unread: { ...without(state.unread, ids), ...above("unread_count") },
    mentions: { ...without(state.mentions, ids), ...above("mention_count") },
  };
}

/** Whether this page has read a channel up to its last message, which the server may not know yet. */
function isReadHere({ histories, readUpTo }: AppState, id: string, lastMessageId: string | null): boolean {
  const newest = histories[id]?.messages.at(-1);
  return newest !== undefined && newest.id === lastMessageId && newest.created_at <= (readUpTo[id] ?? "");
}
