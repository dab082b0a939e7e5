/** Public error texts of permission overrides of channels. */
export const overrideErrors = {
  noTarget: "Either role_id or user_id must be provided",
  twoTargets: "Only one of role_id or user_id may be provided",
  roleId: "Invalid role_id",
  userId: "Invalid user_id",
  notFound: "Override not found",
  needManageToEdit: "You need the Manage Channels permission to edit channel overrides",
  needManageToDelete: "You need the Manage Channels permission to delete channel overrides",
} as const;
