/** The database counts as timed out after this long (contract.md 15). */
export const healthCheckTimeoutMs = 5_000;
/** How long readiness waits for each dependency. */
export const dependencyCheckTimeoutMs = 5_000;
