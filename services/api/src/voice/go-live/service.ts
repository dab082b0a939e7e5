import { errorTexts, forbidden, type GoLiveSession, invalidInput, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { Voice } from "@parley/voice";
import { requireChannel } from "../../access/channel-access.js";
import { requireVoiceChannel } from "../../access/voice-channel.js";
import type { StartGoLive } from "./schema.js";

export function createGoLiveService({ database, voice }: { database: Database; voice: Voice }) {
  return {
    /** The broadcast of a channel. */
    async get(userId: string, channelId: string): Promise<GoLiveSession> {
      await requireChannel(database, channelId, userId);
      const session = await voice.getGoLive(channelId);
      if (session === null) throw notFound(errorTexts.go_live_not_found);
      return session;
    },

    /** Starts the caller's broadcast in the voice channel that they are in, or renews it. */
    async start(userId: string, channelId: string, { quality = "720p" }: StartGoLive): Promise<GoLiveSession> {
      await requireVoiceChannel(database, channelId, userId);
      const result = await voice.startGoLive({ userId, channelId, quality });
      switch (result.outcome) {
        case "started":
          return result.session;
        case "not_in_channel":
          throw invalidInput(errorTexts.go_live_not_in_channel);
        case "taken":
          throw invalidInput(errorTexts.go_live_taken);
      }
    },

    async stop(userId: string, channelId: string): Promise<void> {
      await requireChannel(database, channelId, userId);
      const outcome = await voice.stopGoLive(userId, channelId);
      if (outcome === "none") throw notFound(errorTexts.go_live_not_found);
      if (outcome === "not_broadcaster") throw forbidden(errorTexts.go_live_not_broadcaster);
    },
  };
}

export type GoLiveService = ReturnType<typeof createGoLiveService>;
