/** Largest frame a client may send; one byte more closes the connection (docs/protocol/connecting.md#14.1). */
export const frameBytesMax = 16_384;
/** Fragments that a message of a client may have; more close the connection (1008). */
export const messageFragmentsMax = 128;
/**
 * Window of the rate of messages, pings and pongs of a client, and how long reading from a client that exceeded it
 * pauses.
 */
export const messageWindowMs = 1_000;
/** A client that exceeds the rate for this long is closed (1008, docs/protocol/limits.md#16.3). */
export const floodCloseAfterMs = 10_000;
/** How long a client that is closed for flooding, and not read any more, has to receive the close code. */
export const floodCloseGraceMs = 1_000;
/** A client that sends nothing for this long is closed. */
export const idleTimeoutMs = 300_000;
/** Period of the idleness check: the longest delay of a close. */
export const idleSweepMs = 5_000;
/** A client that leaves more than this unread is closed; READY does not count. */
export const unsentBytesMax = 4 * 1024 * 1024;
/** Time limit of the closing handshake; then the socket is destroyed. */
export const closeTimeoutMs = 5_000;
/** Builds of READY that are under way at a time; the other users wait their turn. */
export const readyInFlightMax = 4;
/** Most users who share a build and its statement; slow users are built alone. */
export const readyBatchMax = 8;
/** A user whose READY took longer than this is slow to build until one takes less. */
export const readySlowMs = 500;
/** The share of {@link readyInFlightMax} for users who are slow to build. */
export const readySlowInFlightMax = 2;
/** After a build of READY a user's next one begins no sooner than this many times as long as the last one took … */
export const readyRestFactor = 4;
/** … and no later than this. */
export const readyRestMaxMs = 2_000;
/** Most users kept as slow or suspect; beyond that, the oldest are dropped. */
export const readySlowUsersMax = 10_000;
/** DM channels in READY, the newest (docs/protocol/limits.md#16.3). */
export const readyDmChannelsMax = 200;
/** Characters of READY's payload; a user with more cannot connect (1001). */
export const readyCharactersMax = 32 * 1024 * 1024;
/** Servers whose structures one statement reads for READY; a server at its caps has ten million characters. */
export const structuresReadMax = 8;
/** Characters of the structures that one build of READY may have in memory. */
export const structuresTotalMax = 2 * readyCharactersMax;
/** Unsent READYs of one user, in bytes; beyond, a further connection gets none and is closed (1001). */
export const readyUnsentBytesMax = 64 * 1024 * 1024;
/** How long a client may take to read its READY; then it is closed as too slow. */
export const readyReadWithinMs = 120_000;
/** Servers whose structure, the part of READY that is the same for all members, is cached. */
export const serverStructuresMax = 10_000;
/** Size limit of that cache: structures differ in size by a factor of thousands. */
export const serverStructuresBytesMax = 64 * 1024 * 1024;
/** Users whose memberships one statement reads when they connect. */
export const membershipsBatchMax = 32;
/** Such statements that run at a time. */
export const membershipsInFlightMax = 2;
/** Servers whose permissions one statement reads. */
export const permissionsBatchMax = 50;
/** Channels and overrides of a server, and requested users, up to which it shares a statement with other servers. */
export const permissionsTogetherMax = 1_000;
/** Statements for the permissions of one large server that run at a time. */
export const permissionsAloneInFlightMax = 2;
/** The pause between two loads of a large server's permissions, as a multiple of the duration of the first. */
export const permissionsReloadPauseFactor = 3;
/** The longest such pause. */
export const permissionsReloadPauseMsMax = 2_000;
/** How long upgrades and closes are processed before the event loop may serve other work. */
export const timeSliceMs = 4;
/**
 * Longest delay of upgrades while further ones arrive. Node.js accepts one connection per turn of the event loop, so
 * turns full of work would let the kernel's accept backlog overflow, and the kernel drops the connections beyond it.
 */
export const upgradesCoalesceMs = 1_000;
/**
 * Length of a slice, instead of {@link timeSliceMs}, in a turn after one that brought an upgrade: for the same reason.
 */
export const upgradesSliceMs = 0.1;
/** Frames to co-members that a node sends per millisecond in the long run before further changes of presence wait. */
export const comemberSendsPerMs = 10;
/** Frames to co-members that may be sent at once beyond that rate: a change of each of 100 members to all others. */
export const comemberSendsBurst = 10_000;
/** The longest such wait; with the writing after it, no change is delayed by more than a second. */
export const comemberWindowMaxMs = 700;
/** DM partners of a user whose presence their connections with `presence=subscribed` get. */
export const partnersMax = 10_000;
/** Ops of PRESENCE_SUBSCRIBE that one statement answers. */
export const presencesBatchMax = 8;
/** Such statements that run at a time. */
export const presencesInFlightMax = 2;
/**
 * PRESENCE_SUBSCRIBE of one user over all connections to a node, a second; of those above, each connection's last
 * waits.
 */
export const subscribesPerSecondMax = 20;
/** VIEW of one user over all connections to a node, a second; of those above, each connection's last waits. */
export const viewsPerSecondMax = 20;
/** Ops of VIEW that one statement answers. */
export const viewsBatchMax = 32;
/** Such statements that run at a time. */
export const viewsInFlightMax = 2;
/** A server with more connected members is passive (docs/protocol/passive-servers.md#27) … */
export const passiveAbove = 250;
/** … and no more with fewer than these. */
export const passiveBelow = 200;
/** How often a gateway looks how many members of its servers are connected. */
export const passiveIntervalMs = 20_000;
/** The longest wait of a connection for the first decision about its servers; it begins without. */
export const passiveDecisionMs = 3_000;
/** Interval of the check for members of its servers that are connected. */
export const passiveBatchMax = 100;
/** How long a gateway's decision is kept for others. */
export const passiveKeptSeconds = 120;
/** Shortest interval between two CHANNEL_ACTIVITY of a server. */
export const activityIntervalMs = 5_000;
/**
 * The gateway notifies more than {@link activityUsersMax} users in slices over this time, at the end of such an
 * interval.
 */
export const activitySpreadMs = 3_000;
/** Users whom the gateway notifies of it before other work of the server. */
export const activityUsersMax = 200;
/** Pause in which the gateway collects connections that continue, to notify them together. */
export const resumedActivityPauseMs = 200;
/** Channels of a passive server whose unread messages are counted by a gateway; the others are read again when they are needed. */
export const talliesMax = 200;
/** The newest messages of such a channel, which may still arrive as events. */
export const recentMessagesMax = 200;
/** Attempts to read a channel's messages while some of them are being deleted. */
export const tallyLoadsMax = 3;
/** How often PRESENCE_SUBSCRIBE checks whether this node has received the joins that the database has. */
export const joinPollMs = 10;
/** The longest wait for that; then the op is answered without. */
export const joinWaitMaxMs = 3_000;
/** Connections that a flush writes to before the event loop may serve other work. */
export const flushSliceMax = 256;
/** Bytes that a flush writes before that; the write that exceeds it is the slice's last. */
export const flushSliceBytesMax = 4 * 1024 * 1024;
/** Flushes may take more than half of the time for so long, then pauses begin: a message every 20 ms to a thousand does not wait. */
export const flushBurstMs = 50;
/** Longest pause between two flushes, in which frames are coalesced. */
export const flushPauseMsMax = 10;
/** The same of events with many recipients: at 20 messages/s to thousands, a busy node puts two into one write. */
export const largeFlushPauseMsMax = 40;
/** An event with more recipients than this on this node must not delay those of others. */
export const fewRecipientsMax = 256;
/** Recipients from which on a frame is compressed: for fewer, compressing costs more than their writes. */
export const compressedRecipientsMin = 4;
/** A frame is compressed for connections whose last compressed frames were at most so many different ones, and once without any. */
export const deflateVariantsMax = 4;
/** Window of a client's compressed messages, as a power of two in bytes. */
export const clientWindowBits = 10;
/** Bytes of a client's message that the gateway inflates at a time. */
export const inflateChunkBytes = 1_024;
/** zlib's `memLevel`: 64 KB instead of 256 for the compression of one frame. */
export const deflateMemoryLevel = 6;
/** Interned role ids of one server; beyond, the table is cleared and filled again. */
export const internedRoleIdsMax = 1_000;
/** Events that may wait for a server's permissions; beyond, its connections are closed, and reconnect with READY. */
export const serverQueueMax = 10_000;
/** Live events that may wait while a gap is filled; beyond, all connections are closed, and reconnect with READY. */
export const fillBufferMax = 50_000;
/** Pause before the permissions of a server, or a gap, are read again after a failure. */
export const retryPauseMs = 500;
/** Time limit for NATS to confirm subscriptions; after it a connection proceeds without the confirmation. */
export const synchroniseTimeoutMs = 3_000;
/** Events that a continuing connection is sent (docs/protocol/continuing.md#19.3). */
export const replayEventsMax = 5_000;
/** Bytes of frames that a continuing connection is sent (docs/protocol/continuing.md#19.3). */
export const replayBytesMax = 4 * 1024 * 1024;
/** Replays of one user that a node prepares at a time. */
export const replaysAtOnceMax = 4;
/** Bytes of replays that the connections of one user to a node draw together, a second. */
export const replayBytesPerSecondMax = 8 * 1024 * 1024;
/** PRESENCE_UPDATE that a continuing connection is sent (docs/protocol/continuing.md#19.2). */
export const replayPresencesMax = 1_000;
/** Most changed presences, of all users, that are read for continuing connections. */
export const changedPresencesMax = 20_000;
/** Connections that share such a list. */
export const changedPresencesBatchMax = 1_000;
/** Clocks may differ by as much, and presence may be delivered as late, in seconds. */
export const presenceMarginSeconds = 10;
/**
 * Seconds, of the time at which cursors were written, for which the positions of replayed events are kept and shared.
 */
export const replayPositionsMax = 8;
/** Bytes of a replay that are written at a time. */
export const replayChunkBytes = 64 * 1024;
/** Events in the window of the stream that all connections share which continue at about the same time. */
export const windowEventsMax = 100_000;
/** Bytes of these events. */
export const windowBytesMax = 64 * 1024 * 1024;
/** Events before the first requested one with which the window begins. */
export const windowLeadEvents = 1_000;
/** The window is dropped after this time without a continuing connection. */
export const windowIdleMs = 30_000;
/** Most events of one server or user that are read for a cursor from before the window. */
export const sourceReadEventsMax = 50_000;
/** Most concurrent readings of this kind. */
export const sourceReadsInFlightMax = 4;
/** Ids of events that are read from the stream one after the other, at most two such rows at a time. */
export const streamLookupsMax = 100;
/** How long a continuing connection waits for the permissions of its servers; then it is closed (1001). */
export const replayRightsTimeoutMs = 15_000;
/**
 * Data that all who continue at about the same time share is read again no sooner than this many times as long as the
 * last reading took.
 */
export const sharedReadRestFactor = 2;
/** Connections that share the heartbeat which shows them that all earlier events were received. */
export const barrierBatchMax = 10_000;
/** Subjects of a subscription whose last sequence is tracked; beyond, those up to the low watermark are dropped. */
export const trackedSubjectsMax = 2_000;
/** After this long without a stored event a gateway stores a heartbeat, so that few events are read after an outage. */
export const heartbeatAfterMs = 5_000;
/** Most that is added at random to {@link heartbeatAfterMs}, so that one gateway's heartbeat serves them all. */
export const heartbeatJitterMs = 2_000;
/** How long the view rules of a deleted channel are kept for its events that are still to be delivered. */
export const deletedChannelKeepMs = 300_000;
/** Tasks of one user that may wait while a gap is filled. */
export const userQueueMax = 1_000;
/** Period of the check whether a heartbeat is due. */
export const heartbeatCheckMs = 1_000;
/**
 * Age at which a high watermark becomes the low watermark: no event is received later than this after its successors.
 */
export const lowWatermarkLagMs = 60_000;
/** Ops of one client that may wait for the one before them; the others are dropped. */
export const pendingOpsMax = 100;
/** Pause between two steps of draining. */
export const drainStepMs = 50;
/** Over which the numbered connections of a stopping gateway are closed, if not faster: to continue costs little. */
export const numberedDrainMs = 2_000;
/** Connections to Redis or the database may take this long to answer a readiness probe. */
export const healthTimeoutMs = 2_000;
/** Period of the check of connected bots: the longest that a revoked bot, or an old token of a bot, stays connected. */
export const botCheckMs = 60_000;
/**
 * Interval of a gateway's check for servers whose voice states are due for a check of rights, and for states that Redis
 * has lost.
 */
export const voiceSweepMs = 5_000;
/**
 * PRESENCE_UPDATE of one user on all nodes together, a second: as many as one connection can send. Beyond, the gateway
 * merges them.
 */
export const statusesPerSecondMax = 20;
/** Most of them at once: two full windows of one connection may touch. */
export const statusesBurst = 2 * statusesPerSecondMax;
/** VOICE_SIGNAL of one user on all nodes together, a second; the others are dropped. */
export const signalsPerSecondMax = 100;
