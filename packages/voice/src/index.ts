// Voice states and broadcasts.

// What Redis has lost.
export { createLostVoice, type LostVoice } from "./lost.js";
// Rights to be in a voice channel.
export { createVoiceRights, type VoiceRights } from "./rights.js";
export { createVoice, type StartOutcome, type Voice, type VoiceFlags } from "./voice.js";
