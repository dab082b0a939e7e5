import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import type { DeleteFiles } from "../../files/storage/delete-files.js";
import { attachmentKey } from "../../files/storage/keys.js";
import { startBatches } from "../../load/start-repeating.js";
import { expireBatch, expireDirectMessages, firstServer, noteExpired } from "./repository.js";

const dayMs = 86_400_000;
/** How often each process searches all servers for expired messages. */
const searchIntervalMs = 3_600_000;
/** How often an idle process looks for channels that any process has noted. */
const intervalMs = 2_000;
/** Most messages, with their dependent rows, that one transaction removes: it holds locks on them until its end. */
const sizeMax = 100;

/**
 * Removes expired messages with their files: those older than the days of their server or of the instance, and direct
 * messages older than the days of the instance.
 *
 * Each process searches all servers when it starts and every hour, and notes channels with expired messages in the
 * table `expirations`. All processes remove the messages of noted channels in batches. A row of `expirations` is locked
 * during a batch, so two processes work on different channels, and after a crash any other process continues.
 *
 * @param options.instanceDays null when only servers set days
 */
export function startExpiringMessages(options: {
  database: Database;
  deleteFiles: DeleteFiles;
  logger: Logger;
  instanceDays: number | null;
}): Closable {
  const { database, deleteFiles, logger, instanceDays } = options;
  let lookAt = performance.now();
  /** Id of the server after which the search continues; null when it is complete. */
  let after: string | null = null;

  const look = async (): Promise<boolean> => {
    if (after === null && performance.now() >= lookAt) {
      after = firstServer;
      lookAt = performance.now() + searchIntervalMs;
    }
    if (after === null) return false;
    after = await noteExpired(database, { instanceDays, after });
    return after !== null;
  };

  const expireDirect = async (size: number): Promise<boolean> => {
    if (instanceDays === null) return false;
    const before = new Date(Date.now() - instanceDays * dayMs);
    return (await expireDirectMessages(database, before, size)) > 0;
  };

  return startBatches({
    async batch(size) {
      if (await look()) return true;
      const files = await database.transaction((transaction) => expireBatch(transaction, { size, instanceDays }));
      if (files === null) return expireDirect(size);
      await deleteFiles(files.map(attachmentKey));
      return true;
    },
    sizeMax,
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "expired messages could not be removed yet"),
  });
}
