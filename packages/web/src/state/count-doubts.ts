/**
 * Finds counts of reactions and replies that may be wrong. A count that is read less than {@link settleMs} before or
 * after an event about it may or may not include the change of the event, so the event may be counted twice or not at
 * all. Such a count has to be read again.
 */
export interface CountDoubts {
  /** Records an event about a message. @returns whether the count of the message may be wrong */
  sawEvent(messageId: string): boolean;
  /** Records that counts were read. @returns ids of the messages whose count may be wrong */
  sawRead(messageIds: readonly string[]): string[];
}

/**
 * Usual maximum delay, in milliseconds, between a read that includes a change and the event about it, or vice versa.
 */
export const settleMs = 2_000;

/**
 * Makes {@link CountDoubts}.
 * @param now milliseconds of a clock that stands still while events cannot arrive
 */
export function createCountDoubts(now: () => number): CountDoubts {
  const events = new Map<string, number>();
  const reads = new Map<string, number>();

  const note = (times: Map<string, number>, ids: readonly string[]) => {
    for (const [id, time] of times) if (now() - time >= settleMs) times.delete(id);
    for (const id of ids) times.set(id, now());
  };
  const isRecent = (times: ReadonlyMap<string, number>, id: string) => now() - (times.get(id) ?? -settleMs) < settleMs;

  return {
    sawEvent(id) {
      note(events, [id]);
      return isRecent(reads, id);
    },
    sawRead(ids) {
      note(reads, ids);
      return ids.filter((id) => isRecent(events, id));
    },
  };
}
