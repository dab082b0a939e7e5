/** Public error texts of voice (docs/interface.md#8). */
export const voiceErrors = {
  notInChannel: "Not in this voice channel",
  cannotConnect: "You don't have permission to connect to this voice channel",
} as const;
