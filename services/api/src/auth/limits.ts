/** Life of a refresh token (docs/interface.md#16.1). */
export const refreshTtlSeconds = 7 * 24 * 3600;
/** How long a used refresh token still yields its successor (docs/interface.md#5.1). */
export const refreshGraceSeconds = 60;
/** Live sessions per user; a login beyond drops the oldest (2). */
export const sessionsMax = 10;

/**
 * Failed logins that one account accepts within the window, from one address and from all together
 * (docs/interface.md#16.3).
 */
export const failedLoginsPerAddressMax = 10;
export const failedLoginsMax = 100;
export const failedLoginWindowMs = 15 * 60_000;
/**
 * An address that somebody logged in from is not refused for that account for so long after the last time
 * (docs/interface.md#16.3).
 */
export const knownAddressDays = 30;
/** Bits of an IPv6 address that stand for one customer: within them everybody has 2^64 addresses. */
export const ipv6PrefixBits = 64;

/** Accounts and addresses whose attempts one process remembers while Redis is away. */
export const localAttemptKeysMax = 100_000;

/** How often expired sessions are removed, and how many by one statement. */
export const sweepIntervalMs = 3_600_000;
export const sweepBatchMax = 1_000;
