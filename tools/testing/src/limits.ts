/** How long a wait for a condition lasts before the test fails: far longer than it takes, however busy the machine is. */
export const waitTimeoutMs = 45_000;

/** Pause between two looks at a polled condition. */
export const pollIntervalMs = 20;
