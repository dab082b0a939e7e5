/** Life of access tokens and bot JWTs (docs/interface.md#16.1). */
export const accessTokenTtlSeconds = 900;

/** Longer texts are no access token of ours and are not even decoded. */
export const accessTokenLengthMax = 2048;

/** For how long a user that was found is taken to exist without looking again. */
export const userCacheTtlMs = 10_000;

/** Most users that a process remembers as existing. */
export const userCacheMax = 100_000;
