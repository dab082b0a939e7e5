import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@parley/database/prisma";
import { guessLanguage } from "@parley/message-text";
import { Gauge, type Registry } from "prom-client";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { dueReindexing, findReindexing, reindexMessages } from "./reindexing-repository.js";

/** Messages of a batch: its transaction locks their rows. */
const batchMax = 200;

/**
 * Gives messages of before the words of their languages, beside the traffic: each batch is followed by a pause as long as it took.
 * A batch is one transaction with its progress, so a killed process loses at most one.
 */
export function reindexSearch({ database, registry }: { database: Database; registry: Registry }): Job {
  const messages = new Gauge({
    name: "search_reindexing_messages",
    help: "Messages of the reindexing of the search, done and in all (an estimate)",
    labelNames: ["state"],
    registers: [registry],
  });
  return {
    name: "search words",
    causes: [],
    when: { due: dueReindexing },
    sizeMax: batchMax,
    async batch({ size, signal }) {
      const begun = performance.now();
      const rows = await database.transaction((transaction) =>
        reindexMessages(transaction, { size, languageOf: guessLanguage }),
      );
      const progress = await findReindexing(database);
      messages.set({ state: "done" }, progress?.done ?? 0);
      messages.set({ state: "total" }, progress?.total ?? 0);
      if (rows > 0) await sleep(performance.now() - begun, undefined, { signal }).catch(() => {});
      return untilNone(rows);
    },
  };
}
