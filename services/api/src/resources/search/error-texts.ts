/** Public error texts of search. */
export const searchErrors = {
  channelId: "Invalid channel_id",
  before: "Invalid before",
} as const;
