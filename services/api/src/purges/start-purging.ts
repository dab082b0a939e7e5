import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "@parley/database";
import type { Closable, Logger } from "@parley/service-runtime";
import type { Discard } from "../storage/discard.js";
import { attachmentKey } from "../storage/keys.js";
import { purgeBatch } from "./repository.js";

/** How often each process looks for deleted channels whose messages are still stored. */
const purgeIntervalMs = 2_000;
/** Messages removed in one statement, with their reactions, polls, votes and rows of attachments. */
const purgeBatchMax = 500;

/**
 * Removes the messages of deleted channels and servers with their files, in small batches beside the requests. Every
 * process does it, each at another channel; what a crashed one leaves, another one continues. A file whose process
 * died between its row and itself is left to the sweep.
 */
export function startPurging(options: { database: Database; discard: Discard; logger: Logger }): Closable {
  const { database, discard, logger } = options;
  const stop = new AbortController();
  // Messages with very many reactions take their time: a statement that ran out of it is tried with fewer.
  let size = purgeBatchMax;

  const removeNext = async (): Promise<boolean> => {
    try {
      const files = await purgeBatch(database, size);
      size = Math.min(size * 2, purgeBatchMax);
      if (files === null) return false;
      await discard(files.map(attachmentKey));
      return true;
    } catch (err) {
      size = Math.max(Math.floor(size / 4), 1);
      logger.warn({ err }, "messages of a deleted channel could not be removed yet");
      return false;
    }
  };

  const run = async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const more = await removeNext();
      // As long a pause as the batch took leaves at least half of PostgreSQL's time to the others.
      const waitMs = more ? performance.now() - startedAt : purgeIntervalMs;
      await pause(waitMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
