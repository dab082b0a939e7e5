/** Public error texts of bots (docs/interface.md#12). */
export const botErrors = {
  notFound: "Bot not found",
  notFoundOrRevoked: "Bot not found or already revoked",
  updateRevoked: "Cannot update a revoked bot",
  regenerateRevoked: "Cannot regenerate the token of a revoked bot",
} as const;
