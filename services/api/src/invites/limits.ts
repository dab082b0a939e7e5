/** Characters of an invite's code (contract.md 4.16). */
export const inviteCodeLength = 8;
/** Longest life of an invite, in hours. */
export const inviteLifeHoursMax = 720;
/** Most uses that the database can count. */
export const inviteUsesMax = 2 ** 31 - 1;
