import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { startBatches } from "../../load/start-batches.js";
import type { Discard } from "../../storage/discard.js";
import { attachmentKey } from "../../storage/keys.js";
import { expirationBatchMax, expirationIntervalMs, expiryIntervalMs } from "./limits.js";
import { expireBatch, expireDirectMessages, firstServer, noteExpired } from "./repository.js";

const dayMs = 86_400_000;

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
export function startExpiring(options: {
  database: Database;
  discard: Discard;
  logger: Logger;
  instanceDays: number | null;
}): Closable {
  const { database, discard, logger, instanceDays } = options;
  let lookAt = performance.now();
  /** Id of the server after which the search continues; null when it is complete. */
  let place: string | null = null;

  const look = async (): Promise<boolean> => {
    if (place === null && performance.now() >= lookAt) {
      place = firstServer;
      lookAt = performance.now() + expiryIntervalMs;
    }
    if (place === null) return false;
    place = await noteExpired(database, { instanceDays, after: place });
    return place !== null;
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
      await discard(files.map(attachmentKey));
      return true;
    },
    sizeMax: expirationBatchMax,
    intervalMs: expirationIntervalMs,
    onFailure: (err) => logger.warn({ err }, "expired messages could not be removed yet"),
  });
}
