import { createModeration } from "@parley/moderation";
import { createRecordAudit } from "../access/audit-log/record.js";
import { expiredDeletedServersAudit } from "../access/audit-log/repository.js";
import { instanceRetentionDays } from "../config.js";
import type { Base, Feature } from "../platform/feature.js";
import { BackgroundQueue } from "../platform/load/background-queue.js";
import { auditLogRoutes } from "./audit-log/routes.js";
import { createAuditLogService } from "./audit-log/service.js";
import { endExpiredBans } from "./bans/expiry-job.js";
import { purgeBanned } from "./bans/purge-job.js";
import { banRoutes } from "./bans/routes.js";
import { createBanService } from "./bans/service.js";
import { exportRoutes } from "./exports/routes.js";
import { createExportService } from "./exports/service.js";
import { countInsights } from "./insights/job.js";
import { insightRoutes } from "./insights/routes.js";
import { memberHistoryRoutes } from "./member-history/routes.js";
import { createMemberHistory } from "./member-history/service.js";
import { moderationRoutes } from "./moderation/routes.js";
import { createModerationService } from "./moderation/service.js";
import { raidRoutes } from "./raids/routes.js";
import { createRaidService } from "./raids/service.js";
import { expiredReportContent } from "./reports/repository.js";
import { reportRoutes } from "./reports/routes.js";
import { createReportService } from "./reports/service.js";
import { expireMessages } from "./retention/job.js";
import { retentionRoutes } from "./retention/routes.js";
import { createRetentionService } from "./retention/service.js";
import { voiceModerationRoutes } from "./voice-moderation/routes.js";
import { createVoiceModeration } from "./voice-moderation/service.js";

/** The desk of moderators and owners: bans, time-outs, notes, reports, logs, figures, exports, and how long messages are kept. */
export function createDesk(base: Base): Feature {
  const { config } = base;
  const moderation = createModeration(base);
  const recordAudit = createRecordAudit(base);
  const moderations = createModerationService({ ...base, moderation, recordAudit });
  const instanceDays = instanceRetentionDays(config);
  return {
    routes: [
      ...moderationRoutes(moderations),
      ...voiceModerationRoutes(createVoiceModeration(base)),
      ...banRoutes(createBanService({ ...base, moderation, recordAudit })),
      ...raidRoutes(createRaidService({ ...base, banMany: moderations.banMany })),
      ...reportRoutes(createReportService(base)),
      ...memberHistoryRoutes(createMemberHistory(base)),
      ...auditLogRoutes(createAuditLogService(base)),
      ...exportRoutes(createExportService({ ...base, pages: new BackgroundQueue() })),
      ...retentionRoutes(createRetentionService({ ...base, instanceDays })),
      ...insightRoutes(base.database),
    ],
    jobs: [
      expireMessages({ ...base, instanceDays }),
      purgeBanned(base),
      endExpiredBans(base),
      countInsights(base.database),
    ],
    expiries: [expiredReportContent, expiredDeletedServersAudit],
  };
}
