import type { Logger } from "@parley/service-runtime";
import type { FileStorage } from "./storage.js";

/** Deletes files that no row names. Never rejects: a job for orphaned files finds the ones that remain. */
export type DeleteFiles = (keys: readonly string[]) => Promise<void>;

/** Creates {@link DeleteFiles} for one storage. */
export function createDeleteFiles({ storage, logger }: { storage: FileStorage; logger: Logger }): DeleteFiles {
  return async (keys) => {
    const results = await Promise.allSettled(keys.map((key) => storage.delete(key)));
    for (const result of results) {
      if (result.status === "rejected") logger.warn({ err: result.reason }, "a file could not be deleted yet");
    }
  };
}
