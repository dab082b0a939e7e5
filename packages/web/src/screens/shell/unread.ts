import type { PageState } from "../../state/page-state.js";

/** Whether a server has unread messages. */
export const hasUnread = (state: PageState, serverId: string): boolean =>
  (state.channelIds[serverId] ?? []).some((id) => (state.unread[id] ?? 0) > 0);

/** How often the user is mentioned in the unread messages of a server. */
export const mentionsIn = (state: PageState, serverId: string): number =>
  (state.channelIds[serverId] ?? []).reduce((sum, id) => sum + (state.mentions[id] ?? 0), 0);

/** How many direct messages are unread. */
export const unreadDirectMessages = (state: PageState): number =>
  state.dmChannels.reduce((sum, { id }) => sum + (state.unread[id] ?? 0), 0);
