import type { Database } from "@parley/database/prisma";
import type { Lifecycle, Logger } from "@parley/service-runtime";
import { startSweeping } from "./background-work/expiry/start-sweeping.js";
import { deletedServersSweep } from "./background-work/log-retention/repository.js";
import { startTrimming } from "./background-work/log-retention/start-trimming.js";
import { startPurging } from "./background-work/purges/start-purging.js";
import { type Config, instanceRetentionDays } from "./config.js";
import { nonceSweep } from "./nonces/repository.js";
import { startMessageCounts } from "./resources/administration/message-counts.js";
import { sessionSweeps } from "./resources/auth/sweep.js";
import { startExpiring } from "./resources/retention/start-expiring.js";
import { createDiscard } from "./storage/discard.js";
import type { FileStorage } from "./storage/storage.js";
import { startSweep } from "./storage/sweep.js";

/**
 * Starts what every api process does beside requests: removing what deletions left, what has expired and files without a
 * row, and counting messages. Several processes may do so at once.
 */
export function startBackgroundWork(options: {
  lifecycle: Lifecycle;
  config: Config;
  database: Database;
  storage: FileStorage;
  logger: Logger;
}): void {
  const { lifecycle, config, database, storage, logger } = options;
  const discard = createDiscard({ storage, logger });
  const sweeps = [...sessionSweeps, nonceSweep, deletedServersSweep];
  const instanceDays = instanceRetentionDays(config);
  lifecycle.own("purges", startPurging({ database, discard, logger }));
  lifecycle.own("retention", startExpiring({ database, discard, logger, instanceDays }));
  lifecycle.own("sweep", startSweep({ database, storage, logger }));
  lifecycle.own("log retention", startTrimming({ database, logger }));
  lifecycle.own("expiry", startSweeping({ database, logger, sweeps }));
  lifecycle.own("message counts", startMessageCounts({ database, logger }));
}
