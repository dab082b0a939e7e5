import { createCountDoubts, settleMs } from "./count-doubts.js";

/** A message with a count. */
interface Counted {
  id: string;
  channel_id: string;
}

/** Reads counts again that may be wrong ({@link createCountDoubts}), {@link settleMs} later. */
export interface Recounts {
  /** To be called for each event that changed the count of a message. */
  sawEvent(message: Counted): void;
  /** To be called whenever counts of messages were read. */
  sawRead(messages: readonly Counted[]): void;
}

/**
 * Makes {@link Recounts}.
 * @param read reads the count of a message, puts it into the page and calls `sawRead`
 * @param now milliseconds of a clock that stands still while events cannot arrive
 */
export function createRecounts(read: (message: Counted) => Promise<void>, now: () => number): Recounts {
  const doubts = createCountDoubts(now);
  const waiting = new Set<string>();
  const readLater = (message: Counted) => {
    if (waiting.has(message.id)) return;
    waiting.add(message.id);
    setTimeout(() => {
      waiting.delete(message.id);
      // After a failed read the count stays until the message is listed again.
      read(message).catch(() => undefined);
    }, settleMs);
  };
  return {
    sawEvent(message) {
      if (doubts.sawEvent(message.id)) readLater(message);
    },
    sawRead(messages) {
      const doubtful = new Set(doubts.sawRead(messages.map(({ id }) => id)));
      for (const message of messages) if (doubtful.has(message.id)) readLater(message);
    },
  };
}
