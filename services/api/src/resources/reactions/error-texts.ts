/** Public error texts of reactions. */
export const reactionErrors = {
  notFound: "Reaction not found",
  emoji: "Emoji must be between 1 and 64 bytes",
  needAddReactions: "You don't have permission to add reactions in this channel",
} as const;
