/** Public error texts of memberships. */
export const memberErrors = {
  notFound: "Member not found",
  alreadyMember: "Already a member of this server",
  banned: "You are banned from this server",
} as const;
