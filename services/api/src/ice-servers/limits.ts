/** How long TURN credentials are valid (contract.md 9.3). */
export const turnTtlSeconds = 86_400;
