import type { VoiceState } from "@parley/contracts";
import { snowflakeOf } from "../ids/snowflake.js";

/** Discord's voice state, without the server. */
export function toVoiceState({
  user_id,
  channel_id,
  ...state
}: Partial<VoiceState> & Pick<VoiceState, "user_id" | "channel_id">) {
  return {
    channel_id: channel_id === null ? null : snowflakeOf(channel_id),
    user_id: snowflakeOf(user_id),
    // There is one voice connection of an account.
    session_id: user_id.replaceAll("-", ""),
    deaf: state.server_deaf ?? false,
    mute: state.server_mute ?? false,
    self_deaf: state.self_deaf ?? false,
    self_mute: state.self_mute ?? false,
    self_stream: state.self_screen ?? false,
    self_video: state.self_video ?? false,
    suppress: state.suppressed ?? false,
    request_to_speak_timestamp: null,
  };
}
