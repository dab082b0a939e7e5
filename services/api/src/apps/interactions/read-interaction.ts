import type { Database } from "@parley/database/prisma";
import { findInteractions, type InteractionRow } from "@parley/interactions";
import { createBatcher } from "@parley/service-runtime";
import { statementBatchMax, statementsInFlightMax } from "./limits.js";

/** Reads an interaction whose 15 minutes are not over; null for any other. What is asked while statements run shares the next one. */
export function createReadInteraction({
  database,
}: {
  database: Database;
}): (id: string) => Promise<InteractionRow | null> {
  return createBatcher({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    work: (ids: readonly string[]) => findInteractions(database, ids),
  });
}
