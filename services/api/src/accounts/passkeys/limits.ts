/** How long a challenge may be answered (docs/interface.md#30). */
export const challengeTtlMs = 5 * 60_000;
