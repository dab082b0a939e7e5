/**
 * After each piece of background work the process rests as long as the piece took, and so many times as long in addition
 * when its event loop is busy all the time.
 */
export const busyRestFactor = 10;
/** The longest rest after one piece; those of an export of a million messages, 10,000 pages, take 42 minutes at most. */
export const restMaxMs = 250;
