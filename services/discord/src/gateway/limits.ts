/**
 * The gateway sends HELLO this long after the upgrade's answer: a library drops frames that come with it
 * (docs/discord.md#rules).
 */
export const helloDelayMs = 30;
/** The interval that HELLO names. */
export const heartbeatIntervalMs = 41_250;
/** A connection without a frame for so long is cut. */
export const silenceMaxMs = 2 * heartbeatIntervalMs;
/** Bytes of a client's payload, and of a frame that is read before it is refused. */
export const payloadBytesMax = 4_096;
export const frameBytesMax = 1_048_576;
/** Payloads of a connection in a window. */
export const payloadsMax = 120;
export const payloadWindowMs = 60_000;
/** Members that one REQUEST GUILD MEMBERS names. */
export const requestedUsersMax = 100;
export const membersInChunkMax = 1_000;

/** Members of a server that IDENTIFY calls large. */
export const largeThreshold = { min: 50, max: 250, default: 50 } as const;

/** A session that nobody has written to for so long cannot be continued any more. */
export const sessionSeconds = 900;
/** Positions kept of a session: as many events as a gateway replays (docs/protocol/continuing.md#19.3). */
export const positionsMax = 5_000;
/** Interactions that a session remembers as sent. */
export const seenMax = 1_000;
/** Events without a dispatch move the stored position at most so often. */
export const quietRecordMs = 1_000;

/** A session remembers so many rows of people and channels, for so long. */
export const rememberedRowsMax = 1_000;
export const rememberedMs = 5_000;
/** Events that are translated together. */
export const eventsBatchMax = 100;
/** With more events waiting nothing is read of the gateway. */
export const waitingEventsMax = 500;
/** With more bytes unsent nothing more is translated. */
export const unsentBytesMax = 1_048_576;
/** Servers that are read together. */
export const guildsBatchMax = 50;
/** Servers of channels that the process remembers. */
export const channelServersMax = 50_000;
/** Voice states that a session remembers, for the server that somebody left. */
export const voiceServersMax = 10_000;

/** Interval of the heartbeats that a connection sends to its gateway. */
export const upstreamHeartbeatMs = 60_000;
export const upstreamHandshakeMs = 10_000;
export const upstreamFrameBytesMax = 268_435_456;
/** Pauses between attempts to reach a gateway double from the first to the last; then the client is closed. */
export const upstreamPauseMs = { first: 50, max: 2_000 } as const;
export const upstreamPatienceMs = 60_000;

/** Clients have so long to leave by themselves when the process stops. */
export const leaveMs = 2_000;
/** Text of a status, in code points, as gateways take it. */
export const statusTextMax = 128;
