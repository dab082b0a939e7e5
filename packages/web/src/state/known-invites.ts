const prefix = "parley.invite.";

/**
 * The server that an invite led to, or was made for, on this device; null for another one. What the API shows of an
 * invite does not have the id of its server.
 */
export const serverOfInvite = (code: string): string | null => localStorage.getItem(prefix + code);

/** Stores the server of an invite. */
export const keepServerOf = (code: string, serverId: string): void => localStorage.setItem(prefix + code, serverId);
