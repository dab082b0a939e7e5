// Voice states and broadcasts.

export { createReadVoiceStates, type ReadVoiceStates } from "./read-states.js";
// Reconciliation of the announcements with Redis.
export { createVoiceReconciliation, type VoiceReconciliation } from "./reconciliation.js";
// Rights to be in a voice channel.
export { createVoiceRights, type VoiceRights } from "./rights.js";
export { createVoice, type DecidedKeys, type StartOutcome, type Stay, type Voice, type VoiceFlags } from "./voice.js";
