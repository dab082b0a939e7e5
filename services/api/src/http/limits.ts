import type { FairQueueLimits } from "../load/fair-queue.js";

/** Largest JSON body of a request, in bytes (docs/interface.md#1.3). */
export const jsonBodyBytesMax = 256 * 1024;
/** Bytes of a text field of a multipart form that its reader sets no other limit for; what is longer arrives cut. */
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
