import type { Logger } from "@parley/service-runtime";
import type { FileStorage } from "./storage.js";

/** Removes files that no row names. Never rejects: what cannot be removed now is left to the sweep. */
export type Discard = (keys: readonly string[]) => Promise<void>;

/** Creates {@link Discard} for one storage. */
export function createDiscard({ storage, logger }: { storage: FileStorage; logger: Logger }): Discard {
  return async (keys) => {
    const results = await Promise.allSettled(keys.map((key) => storage.delete(key)));
    for (const result of results) {
      if (result.status === "rejected") logger.warn({ err: result.reason }, "a file is left to the sweep");
    }
  };
}
