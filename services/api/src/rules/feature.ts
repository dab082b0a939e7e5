import type { Base, Feature } from "../platform/feature.js";
import { type AutomodGate, createAutomodGate } from "./automod/gate.js";
import { automodRoutes } from "./automod/routes.js";
import { createAutomodService } from "./automod/service.js";
import { automodRuleRoutes } from "./automod-rules/routes.js";
import { createAutomodRuleService } from "./automod-rules/service.js";
import { safetyRoutes } from "./newcomers/routes.js";
import { createSafetyService } from "./newcomers/service.js";
import { startAnnouncingRaids } from "./raids/job.js";

/** What a server forbids: auto-moderation, limits of newcomers, raids. */
export function createRules(base: Base): Feature & { automod: AutomodGate } {
  const { config, resting } = base;
  return {
    automod: createAutomodGate({ ...base, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS }),
    routes: [
      ...automodRoutes(createAutomodService(base)),
      ...automodRuleRoutes(createAutomodRuleService(base)),
      ...safetyRoutes(createSafetyService(base)),
    ],
    jobs: [
      {
        name: "raids",
        causes: ["SERVER_RAID_START", "SERVER_RAID_END"],
        start: () => startAnnouncingRaids({ ...base, resting: resting("raids") }),
      },
    ],
  };
}
