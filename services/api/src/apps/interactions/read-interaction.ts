import type { Database } from "@parley/database/prisma";
import { findInteractions, type InteractionRow } from "@parley/interactions";
import { createBatcher } from "@parley/service-runtime";
import { statementBatchMax, statementsInFlightMax } from "./limits.js";

/**
 * Reads an interaction within its 15 minutes; null for any other. Reads that come while statements run share the next
 * one.
 */
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
