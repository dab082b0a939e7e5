/** The database counts as timed out after this long (docs/interface.md#15). */
export const healthCheckTimeoutMs = 5_000;
/** How long readiness waits for each dependency. */
export const dependencyCheckTimeoutMs = 5_000;
/** For how long an answer of database and Redis is shared by all requests for /health. */
export const healthSharedMs = 1_000;
