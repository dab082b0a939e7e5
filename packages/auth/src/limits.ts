/** Life of access tokens and bot JWTs (docs/protocol/limits.md#16.1). */
export const accessTokenTtlSeconds = 900;

/** Longer texts are no access token of ours and are not even decoded. */
export const accessTokenLengthMax = 2048;

/** Users that one statement looks up, and statements at a time. */
export const accountsBatchMax = 200;
export const accountsInFlightMax = 4;

/** How often each process reads whether the bans of networks have changed: they are in force everywhere within two seconds. */
export const networkBansLookMs = 1_000;
