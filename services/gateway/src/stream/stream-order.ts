import type { Arrival } from "./arrival.js";
import type { StreamPosition } from "./stream-position.js";

/** What passes events in the order of the stream: a server's entry, a user's entry. */
interface Ordered {
  readonly interest: { readonly position: StreamPosition };
}

/** What is missing before a live event: from `from` to `to`, of which the sequence `known` is certain. */
export interface MissingBefore {
  from: number;
  known: number;
  to: number;
}

/** Whether an event is neither delivered already nor, when it was read again, older than the interest in it. */
export function isDue({ interest }: Ordered, { subject, stored, recovered }: Arrival): boolean {
  if (stored === null) return true;
  const { position } = interest;
  return recovered ? position.wasMissed(subject, stored.sequence) : position.isNew(subject, stored.sequence);
}

/** The gap that an event reveals, or null. */
export function gapBefore({ interest }: Ordered, { subject, stored, recovered }: Arrival): MissingBefore | null {
  if (stored === null || recovered) return null;
  const from = interest.position.gapStart(subject, stored.previousSequence);
  return from === null ? null : { from, known: stored.previousSequence, to: stored.sequence - 1 };
}

/**
 * The event is being delivered.
 *
 * @param settled a sequence up to which everything has certainly arrived
 */
export function note({ interest }: Ordered, { subject, stored }: Arrival, settled: () => number): void {
  if (stored !== null) interest.position.note(subject, stored.sequence, settled);
}
