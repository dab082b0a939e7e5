/** What holds until an administrator chooses something else, in bytes; null: without a bound. */
export const quotaDefaults = { account: 5_000_000_000, server: 50_000_000_000, installation: null } as const;
