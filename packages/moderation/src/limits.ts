/** Pause between attempts to end a removed member's voice state while Redis is unavailable. */
export const voiceRetryMs = 1_000;
/** Removed members whose voice states may wait for Redis at a time. */
export const voiceRetriesMax = 1_000;
