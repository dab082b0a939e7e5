import type { ReceivedEvent } from "@parley/messaging";
import type { PendingEvents } from "../cursors/pending-events.js";
import type { StreamPosition } from "./stream-position.js";

/** An entry of the hub that delivers events in the order of the stream: of a server or of a user. */
interface Subscriber {
  readonly subscription: { readonly position: StreamPosition; readonly pending: PendingEvents };
}

/** The sequences `from` to `to` before a live event may be missing; the sequence `known` is certain to be. */
export interface PrecedingGap {
  from: number;
  known: number;
  to: number;
}

/** False for an event that was delivered before, and for a recovered one that is older than the subscription. */
export function isDue({ subscription }: Subscriber, { subject, stored, recovered }: ReceivedEvent): boolean {
  if (stored === null) return true;
  const { position } = subscription;
  return recovered ? position.wasMissed(subject, stored.sequence) : position.isNew(subject, stored.sequence);
}

/** The gap that an event reveals, or null. */
export function gapBefore(
  { subscription }: Subscriber,
  { subject, stored, recovered }: ReceivedEvent,
): PrecedingGap | null {
  if (stored === null || recovered) return null;
  const from = subscription.position.gapStart(subject, stored.previousSequence);
  return from === null ? null : { from, known: stored.previousSequence, to: stored.sequence - 1 };
}

/**
 * Records that an event is being dispatched. To be called before it is sent, because the cursors of its frames include
 * it.
 *
 * @param lowWatermark a sequence up to which every event has certainly been received
 */
export function markDelivered(
  { subscription }: Subscriber,
  { subject, stored }: ReceivedEvent,
  lowWatermark: () => number,
): void {
  if (stored === null) return;
  subscription.position.markDelivered(subject, stored.sequence, lowWatermark);
  subscription.pending.dispatched(stored.sequence);
}
