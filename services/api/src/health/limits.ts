/** The database counts as timed out after this long (docs/interface.md#15). */
export const healthCheckTimeoutMs = 5_000;
/** How long readiness waits for each dependency. */
export const dependencyCheckTimeoutMs = 5_000;
/** For how long the answers of database and Redis are told to whoever asks. */
export const healthSharedMs = 1_000;
