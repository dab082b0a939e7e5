import type { Message, NotificationSettings } from "@parley/client";
import { timeIn } from "../people/local-time.js";
import { isBlocked, isMention } from "../people/people.js";
import type { AppState } from "../store/app-state.js";

/** The messages that a user is notified of (docs/protocol/notifications.md#26.1). */
export type Level = NotificationSettings["default"]["level"];

const isMutedUntil = (until: string | null | undefined, now: number): boolean =>
  until === "forever" || (until != null && Date.parse(until) > now);

/** Whether nothing of a server is heard. */
export const isServerMuted = ({ notifications }: AppState, serverId: string | undefined, now = Date.now()): boolean =>
  isMutedUntil(notifications?.servers[serverId ?? ""]?.muted_until, now);

/** Whether nothing of a channel or conversation is heard, as it or its server is muted. */
export const isChannelMuted = (state: AppState, id: string, now = Date.now()): boolean =>
  isMutedUntil(state.notifications?.channels[id]?.muted_until, now) ||
  isServerMuted(state, state.channels[id]?.server_id, now);

/** The threads of a channel that the user follows and that have unread replies. */
export const unreadThreadsOf = ({ threadChannels, unread }: AppState, channelId: string): string[] =>
  Object.keys(threadChannels).filter((id) => threadChannels[id] === channelId && (unread[id] ?? 0) > 0);

/** How many threads of a server the user follows that have unread replies and are not muted. */
export const countUnreadThreads = (state: AppState, serverId: string): number =>
  (state.channelIds[serverId] ?? []).reduce(
    (sum, id) => sum + (isChannelMuted(state, id) ? 0 : unreadThreadsOf(state, id).length),
    0,
  );

/** Whether a channel has something to read, in its followed threads, too. */
export const hasUnread = (state: AppState, id: string): boolean =>
  (state.unread[id] ?? 0) > 0 || unreadThreadsOf(state, id).length > 0;

/** Whether a channel stands out in lists, as it has something to read and is not muted. */
export const isShownUnread = (state: AppState, id: string): boolean =>
  hasUnread(state, id) && !isChannelMuted(state, id);

/** The mentions of the user in the unread messages of a channel and its followed threads, unless it is muted. */
export const shownMentions = (state: AppState, id: string): number =>
  isChannelMuted(state, id)
    ? 0
    : [id, ...unreadThreadsOf(state, id)].reduce((sum, place) => sum + (state.mentions[place] ?? 0), 0);

/** The unread messages of conversations that are not muted. */
export const shownDirectMessages = (state: AppState): number =>
  state.dmChannels.reduce((sum, { id }) => sum + (isChannelMuted(state, id) ? 0 : (state.unread[id] ?? 0)), 0);

/** By channel: the mentions, and the messages of conversations, that are unread and not muted. */
export function shownCounts(state: AppState): Record<string, number> {
  const direct = state.dmChannels.map(
    ({ id }) => [id, isChannelMuted(state, id) ? 0 : (state.unread[id] ?? 0)] as const,
  );
  const placed = Object.keys(state.mentions).map((id) => state.threadChannels[id] ?? id);
  const mentions = [...new Set(placed)].map((id) => [id, shownMentions(state, id)] as const);
  return Object.fromEntries([...mentions, ...direct].filter(([, count]) => count > 0));
}

/** How many of them there are. */
export const shownCount = (state: AppState): number =>
  Object.values(shownCounts(state)).reduce((sum, count) => sum + count, 0);

/** The level of a channel of a server, or of a thread in it. */
export function levelOf(
  { notifications, channels }: AppState,
  channelId: string,
  threadId: string | null = null,
): Level {
  const server = notifications?.servers[channels[channelId]?.server_id ?? ""];
  return (
    notifications?.threads[threadId ?? ""]?.level ??
    notifications?.channels[channelId]?.level ??
    server?.level ??
    notifications?.default.level ??
    "mentions"
  );
}

/** Whether it is between the quiet hours, which may go past midnight. */
export function isQuiet({ notifications }: AppState, now = new Date()): boolean {
  if (!notifications?.quiet) return false;
  const { timezone, quiet } = notifications;
  const time = timeIn(timezone, now);
  return quiet.from < quiet.to ? time >= quiet.from && time < quiet.to : time >= quiet.from || time < quiet.to;
}

type Heard = Pick<
  Message,
  | "author_id"
  | "channel_id"
  | "thread_id"
  | "reply_to"
  | "mention_everyone"
  | "mention_here"
  | "mention_user_ids"
  | "mention_role_ids"
>;

/** Whether the page shows no notice: the user is on do not disturb, or in their quiet hours. */
export function isUndisturbed(state: AppState, now = new Date()): boolean {
  const { me, presence } = state;
  const status = me === null ? undefined : (presence[me.id]?.status ?? me.status);
  return status === "dnd" || isQuiet(state, now);
}

/**
 * Whether this page notifies of a message, by the rules of the push (docs/protocol/notifications.md#26.2): the one decision for all
 * notices while the page is in the background.
 *
 * @param isReply whether it answers a message of the user, which counts as a mention here
 */
export function isNotified(state: AppState, message: Heard, isReply: boolean): boolean {
  const { author_id, channel_id } = message;
  if (isUndisturbed(state) || author_id === state.me?.id || isBlocked(state, author_id)) return false;
  if (channel_id in state.channels) return isHeard(state, message, isReply);
  return state.dmChannels.some(({ id }) => id === channel_id) && isDirectHeard(state, channel_id, isReply);
}

/** The text that a notice shows: none where the user keeps contents out of notices. */
export const noticeText = ({ notifications }: AppState, text: string): string =>
  notifications?.push.content === false ? "" : text;

/** A conversation notifies of every message, unless its settings say otherwise. */
function isDirectHeard(state: AppState, channelId: string, isReply: boolean): boolean {
  if (isChannelMuted(state, channelId)) return false;
  const level = state.notifications?.channels[channelId]?.level ?? "all";
  return level === "mentions" ? isReply : level === "all";
}

/** Whether the user is notified of a message of a channel of a server. */
function isHeard(state: AppState, message: Heard, isReply: boolean): boolean {
  const { channel_id, thread_id } = message;
  if (isChannelMuted(state, channel_id)) return false;
  const level = levelOf(state, channel_id, thread_id);
  if (level !== "mentions") return level === "all";
  const { suppress_everyone = false } = state.notifications?.servers[state.channels[channel_id]?.server_id ?? ""] ?? {};
  const heard = suppress_everyone ? { ...message, mention_everyone: false, mention_here: undefined } : message;
  return isReply || isMention(state, heard);
}
