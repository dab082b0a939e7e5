/** Public error texts of the settings of auto-moderation (docs/interface.md#11.1). */
export const automodErrors = {
  noConfiguration: "No automod configuration",
  wordLength: "word must be at most 100 characters",
} as const;
