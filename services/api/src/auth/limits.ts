/** Life of a refresh token (contract.md 16.1). */
export const refreshTtlSeconds = 7 * 24 * 3600;
/** How long a used refresh token still yields its successor (5.1). */
export const refreshGraceSeconds = 60;
/** Live sessions per user; a login beyond drops the oldest (2). */
export const sessionsMax = 10;
/** Wrong passwords in a row that one account accepts, and how many it regains per second (design.md 12). */
export const loginAttempts = { burst: 20, ratePerSecond: 0.1 } as const;
