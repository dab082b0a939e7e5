/** How long somebody has for signing in at the provider (docs/protocol/accounts.md#29.2). */
export const attemptTtlSeconds = 600;
/** How long the page has for exchanging its code. */
export const codeTtlSeconds = 60;
/** How long a request to the provider may take. */
export const providerTimeoutSeconds = 5;
/** How long the api uses the provider's metadata before it asks again. */
export const discoveryKeptMs = 3_600_000;
/** Pause after which the api asks a provider again that did not answer. */
export const discoveryRetryMs = 2_000;
/** How old a logout token may be. */
export const logoutTokenAgeSeconds = 600;
/** How far the clocks of the provider and of this process may be apart. */
export const clockToleranceSeconds = 30;
/** Largest form with a logout token; a token has a few KB. */
export const logoutBodyBytesMax = 16 * 1024;
/** Wrong logout tokens of one address within the window, and of those that are being checked. */
export const failedLogoutsMax = 100;
export const failedLogoutWindowMs = 15 * 60_000;
/** Longest subject and session id of a provider, in bytes: 255 by the standard. */
export const identifierBytesMax = 1024;
/** Longest path of the application that a sign-in leads on to. */
export const destinationLengthMax = 512;
