/** Largest frame a client may send; one byte more closes the connection (docs/interface.md#14.1). */
export const frameBytesMax = 16_384;
/** Fragments that a message of a client may have; more close the connection (1008). */
export const messageFragmentsMax = 128;
/** Messages, pings and pongs of a client that count within {@link messageWindowMs}; the others are dropped. */
export const messagesPerWindowMax = 20;
/** Whoever exceeds the rate is not read for as long. */
export const messageWindowMs = 1_000;
/** A client that stays over the rate for so long is closed (1008, docs/interface.md#16.3). */
export const floodCloseAfterMs = 10_000;
/** How long a client that is closed for flooding, and read no longer, has to take the close code in. */
export const floodCloseGraceMs = 1_000;
/** A client that sends nothing for this long is closed. */
export const idleTimeoutMs = 300_000;
/** How often connections are looked at for idleness: the most that a close may come late. */
export const idleSweepMs = 5_000;
/** A client that leaves more than this unread is closed; READY does not count. */
export const unsentBytesMax = 4 * 1024 * 1024;
/** How long a closed connection may take to say goodbye before its socket is destroyed. */
export const closeTimeoutMs = 5_000;
/** Builds of READY that are under way at a time; the other users wait their turn. */
export const readyInFlightMax = 4;
/** Users who share a build and its statement, but for those who are known as slow. */
export const readyBatchMax = 8;
/** A user whose READY took longer than this is slow to build until one takes less. */
export const readySlowMs = 500;
/** Of {@link readyInFlightMax}, most that those who are slow to build take. */
export const readySlowInFlightMax = 2;
/** Users remembered as slow to build, or to be built alone; beyond, the oldest are forgotten. */
export const readySlowUsersMax = 10_000;
/** DM channels in READY, the newest (docs/interface.md#16.3). */
export const readyDmChannelsMax = 200;
/** Characters of READY's payload; a user with more cannot connect (1001). */
export const readyCharactersMax = 32 * 1024 * 1024;
/** READYs of one user that are not on the line yet, in bytes; beyond, a connection gets none and is closed (1001). */
export const readyUnsentBytesMax = 64 * 1024 * 1024;
/** How long a client may take to read its READY; then it is closed as too slow. */
export const readyReadWithinMs = 120_000;
/** Servers of which what READY says to all members alike is kept. */
export const serverStructuresMax = 10_000;
/** Most that all of them together may take, for servers differ by a factor of thousands. */
export const serverStructuresBytesMax = 64 * 1024 * 1024;
/** Users whose memberships one statement reads when they connect. */
export const membershipsBatchMax = 32;
/** Such statements that are under way at a time. */
export const membershipsInFlightMax = 2;
/** Servers whose permissions one statement reads. */
export const permissionsBatchMax = 50;
/** Channels and overrides of a server, and users asked about, up to which it shares a statement with others. */
export const permissionsTogetherMax = 1_000;
/** Statements for the permissions of one large server that are under way at a time. */
export const permissionsAloneInFlightMax = 2;
/**
 * After its permissions were read a large server rests for this many times as long as that took, before the next time.
 */
export const permissionsReloadPauseFactor = 3;
/** The longest rest. */
export const permissionsReloadPauseMsMax = 2_000;
/** How long connections that begin and end are worked on before the event loop may do something else. */
export const timeSliceMs = 4;
/**
 * How long connections that begin wait, at most, while still more of them come. Node.js accepts one connection per
 * turn,
 * so turns full of work would leave thousands of clients to the kernel, which cuts those off for whom its queue has no
 * place.
 */
export const upgradesCoalesceMs = 1_000;
/** What co-members are to hear is gathered for a millisecond after so many frames of that kind. */
export const comemberSendsPerMs = 10;
/** The longest window. */
export const comemberWindowMaxMs = 1_000;
/** Connections written to before the event loop may do something else. */
export const flushSliceMax = 256;
/** Most that a flush waits after the one before it, so that what comes meanwhile is written together. */
export const flushPauseMsMax = 10;
/** Ids of roles that the members of one server share in memory; beyond, they are gathered anew. */
export const internedRoleIdsMax = 1_000;
/**
 * Events that may wait for a server's permissions; beyond, its connections are closed so that READY starts them anew.
 */
export const serverQueueMax = 10_000;
/**
 * Live events that may wait while a gap is filled; beyond, all connections are closed so that READY starts them anew.
 */
export const fillBufferMax = 50_000;
/** Pause before the permissions of a server, or a gap, are read again after a failure. */
export const retryPauseMs = 500;
/** How long NATS may take to confirm subscriptions before a connection goes on without. */
export const synchroniseTimeoutMs = 3_000;
/** Subjects whose last sequence is kept one by one; beyond, old ones are forgotten. */
export const trackedSubjectsMax = 2_000;
/** After this long without a stored event a gateway stores a heartbeat, so that few events are read after an outage. */
export const heartbeatAfterMs = 5_000;
/** Most that is added at random to {@link heartbeatAfterMs}, so that one gateway's heartbeat serves them all. */
export const heartbeatJitterMs = 2_000;
/** How long the view rules of a deleted channel serve events that were still on their way. */
export const deletedChannelKeepMs = 300_000;
/** Tasks of one user that may wait while a gap is filled. */
export const userQueueMax = 1_000;
/** How often a gateway looks whether a heartbeat is due. */
export const heartbeatCheckMs = 1_000;
/** After this long an event that is going to arrive has arrived. */
export const lowWatermarkLagMs = 60_000;
/** Ops of one client that may wait behind one that is still being worked on; the others are dropped. */
export const pendingOpsMax = 100;
/** Pause between two steps of closing everybody. */
export const drainStepMs = 50;
/** Connections to Redis or the database may take this long to answer a readiness probe. */
export const healthTimeoutMs = 2_000;
/** How often the bots that are connected are asked about in the database: the longest that a revoked one stays. */
export const botCheckMs = 60_000;
/** How often a gateway looks for servers whose voice states are due for a check of rights, and for what Redis has lost. */
export const voiceSweepMs = 5_000;
/** TYPING_START of one user in one channel: one in this time, the others are dropped (docs/interface.md#16.3). */
export const typingPauseMs = 3_000;
/** TYPING_START of one user in all channels together, a second. */
export const typingsPerSecondMax = 20;
/** PRESENCE_UPDATE of one user on all nodes together, a second: what one connection can send. Beyond, they are put together. */
export const statusesPerSecondMax = 20;
/** Most of them at once: two full windows of one connection may touch. */
export const statusesBurst = 2 * statusesPerSecondMax;
/** VOICE_SIGNAL of one user on all nodes together, a second; the others are dropped. */
export const signalsPerSecondMax = 100;
