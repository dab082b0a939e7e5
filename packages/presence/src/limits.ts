/**
 * Duration of a lease in milliseconds. A gateway process that has not renewed its lease for this time counts as dead,
 * and the next maintenance of another process removes its connections.
 */
export const leaseMs = 9_000;
/** How often a gateway renews its lease: three chances before it counts as dead. */
export const renewIntervalMs = 3_000;
/** How often a gateway looks for dead processes and overdue transitions. */
export const maintainIntervalMs = 3_000;
/** Interval of a gateway's check for expired graces. */
export const graceCheckIntervalMs = 1_000;
/**
 * The grace: how long the user of a lost numbered connection counts as connected, unless the process has a setting
 * (docs/protocol/continuing.md#19.4).
 */
export const resumeGraceMs = 15_000;
/** Milliseconds for which a transition is reserved for the process that made it; afterwards any gateway may save it. */
export const transitionGraceMs = 5_000;
/**
 * Connections of one user, or of one shard of theirs, over all gateways; beyond it the oldest is closed
 * (docs/protocol/connecting.md#14.1).
 */
export const connectionsPerUserMax = 50;
/** Most connections or users that one script or statement handles. */
export const batchMax = 200;
/** Batches of one kind that a process has under way at a time; calls that come meanwhile form the next batch. */
export const inFlightMax = 2;
/** Most channels of users that one call asks about. */
export const lookedAtMax = 500;
/** Most users, connected according to the database, that are compared with Redis at a time. */
export const verifyBatchMax = 500;
/** Most attempts of a save or an announcement that another one overtakes. */
export const attemptsMax = 10;
/** Most servers that one event names: an event's size must not grow with a user's memberships. */
export const serversPerEventMax = 500;
/** How long NATS may take to confirm that it has an announcement. */
export const announceTimeoutMs = 1_000;
/** One TYPING_START of a user in a channel per this period; the others are dropped (docs/protocol/limits.md#16.3). */
export const typingPauseMs = 3_000;
/** TYPING_START of one user in all channels together, per second. */
export const typingsPerSecondMax = 20;
