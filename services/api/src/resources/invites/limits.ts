/** Characters of an invite's code (docs/interface.md#4.16). */
export const inviteCodeLength = 8;
/** Longest life of an invite, in hours. */
export const inviteLifeHoursMax = 720;
/** Most uses that the database can count. */
export const inviteUsesMax = 2 ** 31 - 1;
/** Expired and used up invites that a server keeps; the next new invite removes older ones. */
export const spentInvitesMax = 1_000;
