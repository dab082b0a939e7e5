import { holdsRight, mayInChannel } from "../access/permissions.js";
import type { AppState } from "../store/app-state.js";

/**
 * When the user may write in a slow channel again, in milliseconds since 1970; 0 when slow mode does not hold them back.
 * The server has the last word: it knows of messages that this page has not seen.
 */
export function slowModeEnd(state: AppState, channelId: string): number {
  const seconds = secondsOf(state, channelId);
  return seconds === 0 ? 0 : lastOwn(state, channelId) + seconds * 1_000;
}

/**
 * Whether {@link slowModeEnd} has all data that this page can know: in a slow channel the newest messages, since the
 * user may have written one of them. Without a connection no further data come, and a message that the user writes then
 * waits for one anyway.
 */
export function isSlowModeKnown(state: AppState, channelId: string): boolean {
  if (state.connection === "lost" || secondsOf(state, channelId) === 0) return true;
  return state.histories[channelId]?.isStale === false;
}

/** How long the user waits between two messages; 0 for not at all. */
function secondsOf(state: AppState, channelId: string): number {
  const channel = state.channels[channelId];
  const seconds = channel?.slow_mode_seconds ?? 0;
  if (channel === undefined || seconds === 0) return 0;
  if (mayInChannel(state, channelId, "MANAGE_MESSAGES") || mayInChannel(state, channelId, "MANAGE_CHANNELS")) return 0;
  return holdsRight(state, channel.server_id, "bypass_slow_mode") ? 0 : seconds;
}

/** When the user wrote last in a channel, as far as this page has seen; 0 for never. */
function lastOwn({ lastSent, histories, me }: AppState, channelId: string): number {
  const listed = histories[channelId]?.messages.findLast(({ author_id }) => author_id === me?.id)?.created_at;
  const times = [listed, lastSent[channelId]].map((time) => (time === undefined ? 0 : Date.parse(time)));
  return Math.max(...times);
}
