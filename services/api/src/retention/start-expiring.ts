import type { Database } from "@parley/database";
import type { Closable, Logger } from "@parley/service-runtime";
import { startBatches } from "../load/start-batches.js";
import type { Discard } from "../storage/discard.js";
import { attachmentKey } from "../storage/keys.js";
import { expirationBatchMax, expirationIntervalMs, expiryIntervalMs } from "./limits.js";
import { expireBatch, expireDirectMessages, firstServer, noteExpired } from "./repository.js";

const dayMs = 86_400_000;

/**
 * Removes messages that have outlived the days of their server or of the instance, with their files; of the instance's
 * days direct messages too. Every process looks for them, now and every hour, and works at another channel than the others;
 * what a crashed one leaves, another one continues.
 *
 * @param options.instanceDays null: only servers that say so
 */
export function startExpiring(options: {
  database: Database;
  discard: Discard;
  logger: Logger;
  instanceDays: number | null;
}): Closable {
  const { database, discard, logger, instanceDays } = options;
  let lookAt = performance.now();
  /** Where the look through the servers is; null when it is over. */
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
