/** New requests for friendship of an account, its bots included, within the window (docs/protocol/limits.md#16.3). */
export const newRequestsMax = 100;
export const newRequestsWindowMs = 24 * 3_600_000;
