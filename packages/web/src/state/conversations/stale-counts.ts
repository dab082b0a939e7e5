/** A message with a count of reactions or replies. */
interface Counted {
  id: string;
  channel_id: string;
}

/**
 * Reads counts of messages again that may be wrong. A count that is read less than {@link overlapMs} before or after an
 * event about it may or may not include the change of the event, so the event may be counted twice or not at all.
 */
export interface StaleCountTracker {
  /** To be called for each event that changed the count of a message. */
  sawEvent(message: Counted): void;
  /** To be called whenever counts of messages were read. */
  sawRead(messages: readonly Counted[]): void;
}

/** Usual maximum delay, in milliseconds, between a read that includes a change and the event about it, or vice versa. */
export const overlapMs = 2_000;

/**
 * Makes a {@link StaleCountTracker}.
 * @param read reads the count of a message, puts it into the store and calls `sawRead`; called {@link overlapMs} later
 * @param now milliseconds of a clock that stands still while events cannot arrive
 */
export function createStaleCountTracker(
  read: (message: Counted) => Promise<void>,
  now: () => number,
): StaleCountTracker {
  const events = new Map<string, number>();
  const reads = new Map<string, number>();
  const waiting = new Set<string>();
  const note = (times: Map<string, number>, messages: readonly Counted[]) => {
    for (const [id, time] of times) if (now() - time >= overlapMs) times.delete(id);
    for (const { id } of messages) times.set(id, now());
  };
  const readIfRecent = (times: ReadonlyMap<string, number>, message: Counted) => {
    if (now() - (times.get(message.id) ?? -overlapMs) >= overlapMs || waiting.has(message.id)) return;
    waiting.add(message.id);
    setTimeout(() => {
      waiting.delete(message.id);
      // After a failed read the count stays until the message is listed again.
      read(message).catch(() => undefined);
    }, overlapMs);
  };
  return {
    sawEvent(message) {
      note(events, [message]);
      readIfRecent(reads, message);
    },
    sawRead(messages) {
      note(reads, messages);
      for (const message of messages) readIfRecent(events, message);
    },
  };
}
