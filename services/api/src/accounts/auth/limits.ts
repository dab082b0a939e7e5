/** Life of a refresh token (docs/protocol/limits.md#16.1). */
export const refreshTtlSeconds = 7 * 24 * 3600;
/** How long the end of a session is kept: longer than any token of it lives. */
export const endedSessionKeptSeconds = refreshTtlSeconds + 3600;
/** How long a used refresh token still yields its successor (docs/protocol/accounts.md#5.1). */
export const refreshGraceSeconds = 60;

/** Life of a token that sets a password (docs/protocol/operators.md#18.1). */
export const passwordResetTtlSeconds = 3600;

/**
 * Failed logins that one account accepts within the window, from one address and from all together
 * (docs/protocol/limits.md#16.3).
 */
export const failedLoginsPerAddressMax = 10;
export const failedLoginsMax = 100;
export const failedLoginWindowMs = 15 * 60_000;
/** Days after the last successful login during which its address has a limit of its own for that account. */
export const knownAddressDays = 30;
/** That limit, within its window: an address may be that of a whole school (docs/protocol/limits.md#16.3). */
export const failedLoginsPerKnownAddressMax = 200;
export const knownAddressWindowMs = 24 * 3600_000;

/** Longest credential id (WebAuthn, section 4). */
export const credentialIdBytesMax = 1023;
/** Longest parts of answers, in characters of base64url; those of authenticators do not come near. */
export const clientDataLengthMax = 8_192;
export const authenticatorDataLengthMax = 16_384;
export const signatureLengthMax = 8_192;
export const userHandleLengthMax = 128;
