import { errorTexts, notFound, type VoiceState } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { hasPermission } from "@parley/permissions";
import type { DecidedKeys, Voice } from "@parley/voice";
import type { InChannel } from "../../access/may.js";
import { permission, viewing } from "../../access/needs.js";
import type { ChannelAccess } from "../../access/repository.js";
import { requireWriting } from "../../access/safety.js";
import { requireVoiceChannel } from "../../access/voice-channel.js";
import { getAccount } from "../../people/users/repository.js";
import { findVoiceMarks } from "./repository.js";
import type { UpdateVoice } from "./schema.js";

export type VoiceService = ReturnType<typeof createVoiceService>;

/** The needs of joining a voice channel. */
export const connecting = [viewing, permission("CONNECT_VOICE", errorTexts.connect_required)];

export function createVoiceService({ database, voice }: { database: Database; voice: Voice }) {
  const requireConnect = async (may: InChannel): Promise<ChannelAccess> => {
    const access = await may.access();
    requireWriting(access);
    requireVoiceChannel(access);
    return access;
  };

  /** What moderators and rights decide about a member's voice; of speaking only that it is forbidden. */
  const decidedKeys = async ({ serverId, userId, permissions }: ChannelAccess): Promise<DecidedKeys> => ({
    ...(await findVoiceMarks(database, { serverId, userId })),
    ...(hasPermission(permissions, "SPEAK") ? {} : { suppressed: true }),
  });

  return {
    /** The voice states in a channel, in the order of joining. */
    async list(access: ChannelAccess): Promise<VoiceState[]> {
      requireVoiceChannel(access);
      return voice.listChannel(access.channel.id);
    },

    /** Joins a voice channel, leaving any other. */
    async join(may: InChannel): Promise<VoiceState> {
      const access = await requireConnect(may);
      const { serverId, userId, channel, permissions } = access;
      const { username } = await getAccount(database, userId);
      const limit = hasPermission(permissions, "MANAGE_CHANNELS") ? 0 : channel.user_limit;
      const keys = await decidedKeys(access);
      const place = { userId, serverId, channelId: channel.id };
      const state = await voice.join({ ...place, username, limit, keys });
      try {
        // A kick, a ban or the channel's deletion may have been committed between the check and the join. Its cleanup
        // did not find this voice state, so a second check ends it.
        const since = await decidedKeys(await requireConnect(may));
        const { suppressed = false, server_mute, server_deaf } = since;
        const isSame = suppressed === (state.suppressed === true) && server_mute === state.server_mute;
        if (isSame && server_deaf === state.server_deaf) return state;
        await voice.decide(place, { ...since, suppressed });
        return (await voice.stateIn(userId, serverId)) ?? state;
      } catch (error) {
        await voice.leave(userId, channel.id);
        throw error;
      }
    },

    async update({ userId, channel }: ChannelAccess, flags: UpdateVoice): Promise<VoiceState> {
      const state = await voice.update(userId, channel.id, flags);
      if (state === null) throw notFound(errorTexts.not_in_voice_channel);
      return state;
    },

    async leave(may: InChannel, { userId, channelId }: { userId: string; channelId: string }): Promise<void> {
      // Leaving needs no permission.
      if (await voice.leave(userId, channelId)) return;
      await may.access();
      throw notFound(errorTexts.not_in_voice_channel);
    },
  };
}
