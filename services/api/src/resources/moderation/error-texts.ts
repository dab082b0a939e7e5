/** Public error texts of moderation by hand (docs/interface.md#10.1). */
export const moderationErrors = {
  yourself: "You cannot moderate yourself",
  owner: "Cannot moderate the server owner",
  reason: "reason must be at most 512 characters",
} as const;
