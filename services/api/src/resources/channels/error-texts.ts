/** Public error texts of channels. */
export const channelErrors = {
  name: "Channel name must be 1-100 characters",
  type: "type must be text or voice",
  topic: "Topic must be at most 1024 characters",
  category: "Category must be at most 100 characters",
  typeFixed: "type cannot be changed",
  needManageChannels: "You need the Manage Channels permission",
} as const;
