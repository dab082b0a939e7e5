/** How long a wait for a condition lasts before the test fails. */
export const waitTimeoutMs = 5_000;

/** Pause between two looks at a polled condition. */
export const pollIntervalMs = 20;
