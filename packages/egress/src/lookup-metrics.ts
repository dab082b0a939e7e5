import { Counter, type Registry } from "prom-client";
import { type LookupOutcome, lookupOutcomes } from "./name-resolver.js";

/** @returns counts a look-up that has ended */
export function createLookupCounter(registry: Registry): (outcome: LookupOutcome) => void {
  const lookups = new Counter({
    name: "name_lookups_total",
    help: "Look-ups of names that users chose, by how they ended: found, missing (no address), late (no answer in time), failed, crowded (no turn in time)",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  // From the beginning, so that the first one is an increase.
  for (const outcome of lookupOutcomes) lookups.inc({ outcome }, 0);
  return (outcome) => lookups.inc({ outcome });
}
