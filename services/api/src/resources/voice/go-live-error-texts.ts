/** Public error texts of Go Live (docs/interface.md#9). */
export const goLiveErrors = {
  noSession: "No active Go Live session",
  taken: "Another user is already broadcasting in this channel",
  notInChannel: "You must be in the voice channel to go live",
  notBroadcaster: "Only the broadcaster can end the Go Live session",
} as const;
