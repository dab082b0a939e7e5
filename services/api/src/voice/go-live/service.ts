import { errorTexts, forbidden, type GoLiveSession, invalidInput, notFound } from "@parley/contracts";
import type { Voice } from "@parley/voice";
import type { ChannelAccess } from "../../access/repository.js";
import { requireVoiceChannel } from "../../access/voice-channel.js";
import type { StartGoLive } from "./schema.js";

export function createGoLiveService({ voice }: { voice: Voice }) {
  return {
    /** The broadcast of a channel. */
    async get({ channel }: ChannelAccess): Promise<GoLiveSession> {
      const session = await voice.getGoLive(channel.id);
      if (session === null) throw notFound(errorTexts.go_live_not_found);
      return session;
    },

    /** Starts the caller's broadcast in the voice channel that they are in, or renews it. */
    async start(access: ChannelAccess, { quality = "720p" }: StartGoLive): Promise<GoLiveSession> {
      requireVoiceChannel(access);
      const { userId, channel } = access;
      const result = await voice.startGoLive({ userId, channelId: channel.id, quality });
      switch (result.outcome) {
        case "started":
          return result.session;
        case "not_in_channel":
          throw invalidInput(errorTexts.go_live_not_in_channel);
        case "taken":
          throw invalidInput(errorTexts.go_live_taken);
      }
    },

    async stop({ userId, channel }: ChannelAccess): Promise<void> {
      const outcome = await voice.stopGoLive(userId, channel.id);
      if (outcome === "none") throw notFound(errorTexts.go_live_not_found);
      if (outcome === "not_broadcaster") throw forbidden(errorTexts.go_live_not_broadcaster);
    },
  };
}

export type GoLiveService = ReturnType<typeof createGoLiveService>;
