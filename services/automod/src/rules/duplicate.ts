import { duplicateWindowMs } from "@parley/contracts";

/** Content made only of U+200B stands for a message that is all files; such messages are never duplicates. */
export function isExemptFromDuplicates(content: string): boolean {
  return /^\u200b*$/.test(content);
}

/**
 * Whether a message repeats one of the same user in the same channel.
 *
 * @param identicalAtMs when the latest undeleted message with this content was stored; null without one
 * @param nowMs by the same clock, when the message is sent or was
 */
export function isDuplicate(identicalAtMs: number | null, nowMs: number): boolean {
  return identicalAtMs !== null && nowMs - identicalAtMs <= duplicateWindowMs;
}
