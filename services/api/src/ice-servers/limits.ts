/** How long TURN credentials are valid (docs/interface.md#9.3). */
export const turnTtlSeconds = 86_400;
