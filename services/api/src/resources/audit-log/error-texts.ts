/** Public error texts of the audit log. */
export const auditLogErrors = {
  actorId: "Invalid actor_id",
  before: "Invalid before",
  ownerOnly: "Only the server owner can view audit logs",
} as const;
