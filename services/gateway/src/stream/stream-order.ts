import type { InboundEvent } from "./inbound-event.js";
import type { StreamPosition } from "./stream-position.js";

/** What passes events in the order of the stream: a server's entry, a user's entry. */
interface Subscriber {
  readonly subscription: { readonly position: StreamPosition };
}

/** What is missing before a live event: from `from` to `to`, of which the sequence `known` is certain. */
export interface PrecedingGap {
  from: number;
  known: number;
  to: number;
}

/** Whether an event is neither delivered already nor, when it was read again, older than the interest in it. */
export function isDue({ subscription }: Subscriber, { subject, stored, recovered }: InboundEvent): boolean {
  if (stored === null) return true;
  const { position } = subscription;
  return recovered ? position.wasMissed(subject, stored.sequence) : position.isNew(subject, stored.sequence);
}

/** The gap that an event reveals, or null. */
export function gapBefore(
  { subscription }: Subscriber,
  { subject, stored, recovered }: InboundEvent,
): PrecedingGap | null {
  if (stored === null || recovered) return null;
  const from = subscription.position.gapStart(subject, stored.previousSequence);
  return from === null ? null : { from, known: stored.previousSequence, to: stored.sequence - 1 };
}

/**
 * The event is being delivered.
 *
 * @param settled a sequence up to which everything has certainly arrived
 */
export function markDelivered(
  { subscription }: Subscriber,
  { subject, stored }: InboundEvent,
  lowWatermark: () => number,
): void {
  if (stored !== null) subscription.position.markDelivered(subject, stored.sequence, lowWatermark);
}
