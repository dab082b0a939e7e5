/** Public error texts of reactions. */
export const reactionErrors = {
  notFound: "Reaction not found",
  needAddReactions: "You don't have permission to add reactions in this channel",
} as const;
