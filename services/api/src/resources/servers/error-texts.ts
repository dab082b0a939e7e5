/** Public error texts of servers. */
export const serverErrors = {
  name: "Server name must be 1-100 characters",
  isPublic: "is_public must be a boolean",
  requireInvite: "require_invite must be a boolean",
  unknownTemplate: "Unknown template",
  updateOwnerOnly: "Only the server owner can update it",
  deleteOwnerOnly: "Only the server owner can delete it",
  handOverOwnerOnly: "Only the server owner can hand it over",
  botOwner: "Bots cannot own servers",
  userId: "Invalid user_id",
  ownerCannotLeave: "The server owner cannot leave the server",
} as const;
