import type { Database } from "@parley/database/prisma";
import type { Lifecycle, Logger } from "@parley/service-runtime";
import { type Config, instanceRetentionDays } from "../config.js";
import { createDeleteFiles } from "../files/storage/delete-files.js";
import type { FileStorage } from "../files/storage/storage.js";
import { startExpiringMessages } from "./expired-messages/job.js";
import { startExpiringRows } from "./expired-rows/job.js";
import { startTrimmingLogs } from "./log-trimming/job.js";
import { startCountingMessages } from "./message-counts/job.js";
import { startDeletingOrphanedFiles } from "./orphaned-files/job.js";
import { startDeletingOrphanedRows } from "./orphaned-rows/job.js";

/**
 * Starts what every api process does beside requests, apart from the deletion of accounts, which requests wait for.
 * Several processes may do so at once.
 */
export function startJobs(options: {
  lifecycle: Lifecycle;
  config: Config;
  database: Database;
  storage: FileStorage;
  logger: Logger;
}): void {
  const { lifecycle, config, database, storage, logger } = options;
  const deleteFiles = createDeleteFiles({ storage, logger });
  const instanceDays = instanceRetentionDays(config);
  lifecycle.own("orphaned rows", startDeletingOrphanedRows({ database, deleteFiles, logger }));
  lifecycle.own("orphaned files", startDeletingOrphanedFiles({ database, storage, logger }));
  lifecycle.own("expired messages", startExpiringMessages({ database, deleteFiles, logger, instanceDays }));
  lifecycle.own("expired rows", startExpiringRows({ database, logger }));
  lifecycle.own("log trimming", startTrimmingLogs({ database, logger }));
  lifecycle.own("message counts", startCountingMessages({ database, logger }));
}
