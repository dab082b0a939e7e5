import type { FairQueueLimits } from "../load/fair-queue.js";

/** Largest JSON body of a request, in bytes (docs/protocol/requests.md#1.3). */
export const jsonBodyBytesMax = 256 * 1024;
/** Bytes of a text field of a multipart form that its reader sets no other limit for; a longer one arrives cut. */
export const fieldBytesMax = 1024;
/** Items that are read at a time for a list without pages; the whole list is sent in such chunks. */
export const listChunkMax = 1_000;
/** The same of messages, which have up to 4,000 characters each. */
export const messageChunkMax = 100;
/**
 * Reads of such lists in one process: few at a time, so that long lists leave the database connections to the others, and
 * half of the time, so that they leave the processors to them. Each list under way has at most one read waiting.
 */
export const listReads: FairQueueLimits = {
  runningMax: 2,
  runningPerTenantMax: 1,
  waitingMax: 1_000,
  waitingPerTenantMax: 100,
  waitMaxMs: 30_000,
  coolDownFactor: 1,
};

/** Connections whose request has not arrived yet; above that the oldest is closed. Uploads do not count. */
export const unfinishedConnectionsMax = 2_000;

/** Bounds of the answers that wait in a process for their readers. */
export interface UnreadAnswerLimits {
  /** Bytes of all answers together. */
  bytesMax: number;
  /** Bytes of the answers of one account, or of one address without an account. */
  readerBytesMax: number;
  /** The api makes answers up to this size whatever waits: errors, and answers to changes. */
  smallBytesMax: number;
  /** The least that a reader takes in a window of time in which something waits for it. */
  takenBytesMin: number;
  windowMs: number;
  checkMs: number;
}

/**
 * Answers that their readers have not taken. A tenth of the 640 MB that a container of the api has; of one reader a few of the
 * largest lists, which have about 1 MB, or one picture. The time is that of most proxies, and its bytes those of a very slow line.
 */
export const unreadAnswerLimits: UnreadAnswerLimits = {
  bytesMax: 64 * 1024 * 1024,
  readerBytesMax: 8 * 1024 * 1024,
  smallBytesMax: 64 * 1024,
  takenBytesMin: 64 * 1024,
  windowMs: 60_000,
  checkMs: 1_000,
};
