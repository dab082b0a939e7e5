/** Public error texts of pins. */
export const pinErrors = {
  notPinned: "Message is not pinned",
  needManageMessages: "You need the Manage Messages permission to pin messages",
} as const;
