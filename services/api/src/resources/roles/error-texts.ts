/** Public error texts of roles and of their members (docs/interface.md#6.3). */
export const roleErrors = {
  notFound: "Role not found",
  name: "Role name must be 1-100 characters",
  color: "color must be a hex colour",
  createAbove: "Cannot create a role at or above your highest role position",
  editAbove: "Cannot edit a role at or above your highest role position",
  deleteAbove: "Cannot delete a role at or above your highest role position",
  moveAbove: "Cannot move a role to a position at or above your highest role position",
  assignAbove: "Cannot assign a role at or above your highest role position",
  removeAbove: "Cannot remove a role at or above your highest role position",
  removeFromOwner: "Cannot remove roles from the server owner",
  cannotGrant: "Cannot grant permissions you do not have",
  needManageRoles: "You need the Manage Roles permission",
} as const;
