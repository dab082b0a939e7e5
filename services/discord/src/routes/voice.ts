import type { Channel, VoiceState } from "@parley/contracts";
import type { APIVoiceState } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";
import { discordError } from "../rest/errors.js";
import { type BotCall, noContent, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

/** Discord's voice state, which has no session: there is no voice server. */
export const toVoiceState = (state: VoiceState, serverId: string): APIVoiceState => ({
  guild_id: snowflakeOf(serverId),
  channel_id: state.channel_id === null ? null : snowflakeOf(state.channel_id),
  user_id: snowflakeOf(state.user_id),
  session_id: "",
  deaf: state.server_deaf,
  mute: state.server_mute,
  self_deaf: state.self_deaf,
  self_mute: state.self_mute,
  self_video: state.self_video,
  ...(state.self_screen ? { self_stream: true } : {}),
  suppress: false,
  request_to_speak_timestamp: null,
});

async function voiceState(call: BotCall) {
  const serverId = await serverOf(call);
  const { user_id = "" } = call.params;
  const userId = user_id === "@me" ? call.bot.userId : await call.id("user", user_id, 10065);
  const channels = await call.api.get<Channel[]>(`/servers/${serverId}/channels`);
  for (const { id, type } of channels) {
    if (type !== "voice") continue;
    const states = await call.api.get<VoiceState[]>(`/channels/${id}/voice`);
    const found = states.find((state) => state.user_id === userId);
    if (found !== undefined) return toVoiceState(found, serverId);
  }
  throw discordError(10065);
}

export const voiceRoutes = [
  route("GET", "/guilds/:guild_id/voice-states/:user_id", voiceState),
  route("PATCH", "/guilds/:guild_id/voice-states/@me", async (call) => {
    await voiceState({ ...call, params: { ...call.params, user_id: "@me" } });
    return noContent;
  }),
];
