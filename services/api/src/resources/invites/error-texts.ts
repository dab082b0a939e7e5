import { inviteLifeHoursMax } from "./limits.js";

/** Public error texts of invites. */
export const inviteErrors = {
  notFound: "Invite not found",
  notFoundOrExpired: "Invite not found or has expired",
  expired: "This invite has expired",
  usedUp: "This invite has reached its maximum uses",
  maxUses: "max_uses must be greater than 0",
  hours: `expires_in_hours must be between 1 and ${inviteLifeHoursMax}`,
  needCreateInvites: "You need the Create Invites permission",
} as const;
