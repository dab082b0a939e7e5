// Voice states and broadcasts.
export { createVoice, type StartOutcome, type Voice, type VoiceFlags } from "./voice.js";
