/**
 * Counts of reactions and replies: when one is read while an event about it is on its way, nobody can tell whether it
 * contains it. Such messages are named here, to be read again once events have settled.
 */
export interface CountDoubts {
  /** An event about a message arrived. True: it may be counted twice or not at all. */
  sawEvent(messageId: string): boolean;
  /** Counts of messages were read. Answers with those that may lack an event or contain one that is still to come. */
  sawRead(messageIds: readonly string[]): string[];
}

/** Longest time, in milliseconds, by which an event and a read of the same change are usually apart. */
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
