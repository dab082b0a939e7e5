import type { Channel, VoiceState } from "@parley/contracts";
import { snowflakeOf } from "../ids/snowflake.js";
import { toVoiceState } from "../objects/voice-state.js";
import { discordError } from "../rest/errors.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

async function voiceState(call: BotCall) {
  const serverId = await serverOf(call);
  const { user_id = "" } = call.params;
  const userId = user_id === "@me" ? call.bot.userId : await call.id("user", user_id, 10065);
  const channels = await call.api.get<Channel[]>(`/servers/${serverId}/channels`);
  for (const { id, type } of channels) {
    if (type !== "voice") continue;
    const states = await call.api.get<VoiceState[]>(`/channels/${id}/voice`);
    const found = states.find((state) => state.user_id === userId);
    if (found !== undefined) return { guild_id: snowflakeOf(serverId), ...toVoiceState(found) };
  }
  throw discordError(10065);
}

export const voiceRoutes = [
  route("GET", "/guilds/:guild_id/voice-states/:user_id", voiceState),
  route("PATCH", "/guilds/:guild_id/voice-states/@me", async (call) => {
    await voiceState({ ...call, params: { ...call.params, user_id: "@me" } });
  }),
];
