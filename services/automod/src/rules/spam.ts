/** A message's number in the order in which a user's messages in a server were stored, and when it was sent. */
export interface SequencedMessage {
  number: number;
  sentAtMs: number;
}

/**
 * Whether a message exceeds the spam limit (docs/protocol/automod.md#11.2, rule 6): more messages than allowed were stored
 * within the window, this one and meanwhile deleted ones included.
 *
 * The order of storing decides which of several concurrent messages is the one too many, and the times decide which
 * belong to the window. Times may run ahead of that order by a little; `skewMs` bounds it, so that a message judged
 * long after it was sent is not counted together with later ones.
 *
 * @param message the one to judge
 * @param sequence at least those before it that may lie in the window
 */
export function isSpam(
  message: SequencedMessage,
  sequence: readonly SequencedMessage[],
  limits: { messagesMax: number; windowMs: number; skewMs: number },
): boolean {
  const from = message.sentAtMs - limits.windowMs;
  const until = message.sentAtMs + limits.skewMs;
  const stored = sequence.filter(
    ({ number, sentAtMs }) => number <= message.number && sentAtMs > from && sentAtMs <= until,
  );
  return stored.length > limits.messagesMax;
}
