import { errorTexts, forbidden, invalidInput, notFound, type VoiceState } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { hasPermission } from "@parley/permissions";
import type { Voice } from "@parley/voice";
import { requireChannel } from "../../access/channel-access.js";
import type { ChannelAccess } from "../../access/repository.js";
import { requireWriting } from "../../access/safety.js";
import { requireVoiceChannel } from "../../access/voice-channel.js";
import { getAccount } from "../../people/users/repository.js";
import type { UpdateVoice } from "./schema.js";

export interface VoiceService {
  /** The voice states in a channel, in the order of joining. */
  list(userId: string, channelId: string): Promise<VoiceState[]>;
  /** Joins a voice channel, leaving any other. */
  join(userId: string, channelId: string): Promise<VoiceState>;
  update(userId: string, channelId: string, flags: UpdateVoice): Promise<VoiceState>;
  leave(userId: string, channelId: string): Promise<void>;
}

export function createVoiceService({ database, voice }: { database: Database; voice: Voice }): VoiceService {
  const requireConnect = async (userId: string, channelId: string): Promise<ChannelAccess> => {
    const access = await requireChannel(database, channelId, userId);
    if (!hasPermission(access.permissions, "CONNECT_VOICE")) {
      throw forbidden(errorTexts.connect_required);
    }
    requireWriting(access);
    if (access.channel.type !== "voice") throw invalidInput(errorTexts.not_voice_channel);
    return access;
  };

  return {
    async list(userId, channelId) {
      await requireVoiceChannel(database, channelId, userId);
      return voice.listChannel(channelId);
    },

    async join(userId, channelId) {
      const { serverId } = await requireConnect(userId, channelId);
      const { username } = await getAccount(database, userId);
      const state = await voice.join({ userId, username, serverId, channelId });
      try {
        // A kick, a ban or the channel's deletion may have been committed between the check and the join. Its cleanup
        // did not find this voice state, so a second check ends it.
        await requireConnect(userId, channelId);
      } catch (error) {
        await voice.leave(userId, channelId);
        throw error;
      }
      return state;
    },

    async update(userId, channelId, flags) {
      await requireChannel(database, channelId, userId);
      const state = await voice.update(userId, channelId, flags);
      if (state === null) throw notFound(errorTexts.not_in_voice_channel);
      return state;
    },

    async leave(userId, channelId) {
      // Leaving needs no permission.
      if (await voice.leave(userId, channelId)) return;
      await requireChannel(database, channelId, userId);
      throw notFound(errorTexts.not_in_voice_channel);
    },
  };
}
