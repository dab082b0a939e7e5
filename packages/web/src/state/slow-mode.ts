import type { AppState } from "./app-state.js";
import { holdsRight, mayInChannel } from "./permissions.js";

/**
 * When the user may write in a slow channel again, in milliseconds since 1970; 0 when slow mode does not hold them back.
 * The server has the last word: it knows of messages that this page has not seen.
 */
export function slowModeEnd(state: AppState, channelId: string): number {
  const channel = state.channels[channelId];
  const seconds = channel?.slow_mode_seconds ?? 0;
  if (channel === undefined || seconds === 0) return 0;
  if (mayInChannel(state, channelId, "MANAGE_MESSAGES") || mayInChannel(state, channelId, "MANAGE_CHANNELS")) return 0;
  if (holdsRight(state, channel.server_id, "bypass_slow_mode")) return 0;
  return lastOwn(state, channelId) + seconds * 1_000;
}

/** When the user wrote last in a channel, as far as this page has seen; 0 for never. */
function lastOwn({ lastSent, histories, me }: AppState, channelId: string): number {
  const listed = histories[channelId]?.messages.findLast(({ author_id }) => author_id === me?.id)?.created_at;
  const times = [listed, lastSent[channelId]].map((time) => (time === undefined ? 0 : Date.parse(time)));
  return Math.max(...times);
}
