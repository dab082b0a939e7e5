import type { VoiceState } from "@parley/client";

/** Whether a moderator muted a participant, or they may not speak in the channel: nobody sends or plays their sound. */
export const isSilenced = (state: VoiceState | undefined): boolean =>
  state?.server_mute === true || state?.suppressed === true;
