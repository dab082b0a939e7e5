import type { ClientEventName } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { type Messaging, runOperation } from "@parley/messaging";
import type { Outbox } from "@parley/outbox";
import type { Closable, Lifecycle, Logger, Metrics } from "@parley/service-runtime";
import { type Config, instanceRetentionDays } from "../config.js";
import { createFileUrls } from "../files/signed-urls.js";
import { createDeleteFiles } from "../files/storage/delete-files.js";
import type { FileStorage } from "../files/storage/storage.js";
import { createRowFailures, RestingRows } from "../load/resting-rows.js";
import type { Mailer } from "../mail/send-mail.js";
import type { LinkPreviewService } from "../resources/link-previews/service.js";
import { startPurgingBanned } from "./ban-purges/job.js";
import { watchDueRows } from "./due-rows/watch.js";
import { startEndingBans } from "./expired-bans/job.js";
import { startExpiringMessages } from "./expired-messages/job.js";
import { startExpiringRows } from "./expired-rows/job.js";
import { startExpiringInteractions, startSweepingInteractions } from "./interactions/job.js";
import { startTrimmingLogs } from "./log-trimming/job.js";
import { startAnnouncingMembers } from "./member-announcements/job.js";
import { startCountingMessages } from "./message-counts/job.js";
import { startMakingPreviews } from "./message-previews/job.js";
import { startCollectingMissed, startPlanningDaily, startSendingMails } from "./notification-mails/job.js";
import { startDeletingOrphanedFiles } from "./orphaned-files/job.js";
import { startDeletingOrphanedRows } from "./orphaned-rows/job.js";
import { startAnnouncingRaids } from "./raids/job.js";
import { startDeletingReleasedPictures } from "./released-pictures/job.js";

/**
 * Starts what every api process does beside requests, apart from the deletion of accounts, which requests wait for.
 * Several processes may do so at once.
 */
export function startJobs(options: {
  lifecycle: Lifecycle;
  config: Config;
  database: Database;
  messaging: Messaging;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  linkPreviews: LinkPreviewService;
  mailer: Mailer | null;
  metrics: Metrics;
  logger: Logger;
}): void {
  const { lifecycle, config, database, messaging, outbox, storage, linkPreviews, mailer, metrics, logger } = options;
  const deleteFiles = createDeleteFiles({ storage, logger });
  const instanceDays = instanceRetentionDays(config);
  const urls = createFileUrls({ secret: config.FILE_URL_SECRET, jwtSecret: config.JWT_SECRET });
  /** A job with every event that it may cause, as an endpoint declares them. */
  const own = (name: string, causes: readonly ClientEventName[], start: () => Closable) =>
    lifecycle.own(name, runOperation({ name, causes }, start));
  const due = watchDueRows({ database, logger });
  const failures = createRowFailures(metrics.registry);
  const resting = (job: string) => new RestingRows({ job, failures, logger });
  lifecycle.own("due rows", due);
  own("orphaned rows", [], () => startDeletingOrphanedRows({ database, deleteFiles, logger }));
  own("orphaned files", [], () => startDeletingOrphanedFiles({ database, storage, logger }));
  own("released pictures", [], () => startDeletingReleasedPictures({ database, deleteFiles, logger }));
  own("expired messages", ["MESSAGE_DELETE_BULK", "EVENT_DELETE"], () =>
    startExpiringMessages({
      database,
      outbox,
      deleteFiles,
      resting: resting("expired_messages"),
      logger,
      instanceDays,
    }),
  );
  own("ban purges", ["MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "EVENT_DELETE"], () =>
    startPurgingBanned({ database, outbox, resting: resting("ban_purges"), logger, due: due.of("banPurges") }),
  );
  own("expired bans", ["MEMBER_UNBAN"], () =>
    startEndingBans({ database, outbox, resting: resting("expired_bans"), logger }),
  );
  own("expired rows", [], () => startExpiringRows({ database, eventsMaxAgeMs: config.EVENTS_MAX_AGE_MS, logger }));
  own("log trimming", [], () => startTrimmingLogs({ database, logger }));
  own("member announcements", ["MEMBER_UPDATE"], () =>
    startAnnouncingMembers({
      database,
      outbox,
      resting: resting("member_announcements"),
      logger,
      due: due.of("memberAnnouncements"),
    }),
  );
  own("raids", ["SERVER_RAID_START", "SERVER_RAID_END"], () =>
    startAnnouncingRaids({ database, outbox, resting: resting("raids"), logger }),
  );
  own("link cards", ["MESSAGE_PREVIEWS"], () =>
    startMakingPreviews({ database, outbox, linkPreviews, logger, due: due.of("linkCards") }),
  );
  own("interactions", ["INTERACTION_CREATE", "INTERACTION_UPDATE"], () =>
    startSweepingInteractions({ database, messaging, urls, logger, due: due.of("interactions") }),
  );
  own("expired interactions", [], () => startExpiringInteractions({ database, logger }));
  own("message counts", [], () => startCountingMessages({ database, logger }));
  if (mailer !== null) {
    const { registry } = metrics;
    const { PUBLIC_URL: publicUrl } = config;
    own("daily mails", [], () => startPlanningDaily({ database, logger }));
    own("missed messages", [], () => startCollectingMissed({ database, logger }));
    own("notification mails", [], () => startSendingMails({ database, mailer, registry, config, publicUrl, logger }));
  }
}
