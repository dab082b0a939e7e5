/** How long a challenge may be answered (docs/protocol/accounts.md#30). */
export const challengeTtlMs = 5 * 60_000;
