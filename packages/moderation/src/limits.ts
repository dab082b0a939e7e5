/** Pause before a removed member's voice state, which Redis was too far away to end, is tried to end again. */
export const voiceRetryMs = 1_000;
/** Removed members whose voice states may wait for Redis at a time. */
export const voiceRetriesMax = 1_000;
