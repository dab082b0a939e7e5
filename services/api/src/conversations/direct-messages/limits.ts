/** Channels in a page of the list, and in the list without parameters (docs/protocol/limits.md#16.3). */
export const channelPageMax = 200;
/** New channels of an account, its bots included, in 24 hours. */
export const newChannelsPerDayMax = 100;
