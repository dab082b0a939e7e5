/** Public error texts of direct messages. */
export const directMessageErrors = {
  withYourself: "Cannot open a DM channel with yourself",
  channelNotFound: "DM channel not found",
  before: "Invalid before",
  userId: "Invalid user_id",
} as const;
