import type { Base, Feature } from "../platform/feature.js";
import { type AutomodGate, createAutomodGate } from "./automod/gate.js";
import { automodRoutes } from "./automod/routes.js";
import { createAutomodService } from "./automod/service.js";
import { automodRuleRoutes } from "./automod-rules/routes.js";
import { createAutomodRuleService } from "./automod-rules/service.js";
import { safetyRoutes } from "./newcomers/routes.js";
import { createSafetyService } from "./newcomers/service.js";
import { announceRaids } from "./raids/job.js";
import { expiredRaidJoins } from "./raids/repository.js";

/** A server's protection: auto-moderation, limits of newcomers, raids. */
export function createRules(base: Base): Feature & { automod: AutomodGate } {
  const { config } = base;
  return {
    automod: createAutomodGate({ ...base, verdictTimeoutMs: config.AUTOMOD_TIMEOUT_MS }),
    routes: [
      ...automodRoutes(createAutomodService(base)),
      ...automodRuleRoutes(createAutomodRuleService(base)),
      ...safetyRoutes(createSafetyService(base)),
    ],
    jobs: [announceRaids(base)],
    expiries: [expiredRaidJoins],
  };
}
