import { createVoiceRights } from "@parley/voice";
import type { Base, Feature } from "../platform/feature.js";
import { goLiveRoutes } from "./go-live/routes.js";
import { createGoLiveService } from "./go-live/service.js";
import { iceServerRoutes } from "./ice-servers/routes.js";
import { createIceServers } from "./ice-servers/service.js";
import { createEndUnentitledVoice, type EndUnentitledVoice } from "./voice/end-unentitled.js";
import { voiceRoutes } from "./voice/routes.js";
import { createVoiceService } from "./voice/service.js";

/** Signalling of calls; their state is in Redis. */
export function createVoiceFeature(base: Base): Feature & { endUnentitledVoice: EndUnentitledVoice } {
  const { config, database, voice, logger } = base;
  return {
    endUnentitledVoice: createEndUnentitledVoice({ rights: createVoiceRights({ database, voice }), logger }),
    routes: [
      ...voiceRoutes(createVoiceService(base)),
      ...goLiveRoutes(createGoLiveService(base)),
      ...iceServerRoutes(
        createIceServers({
          database,
          config: { stunUrls: config.STUN_URLS, turnUrls: config.TURN_URLS, turnSecret: config.TURN_SECRET },
        }),
      ),
    ],
  };
}
