import type { FairQueueLimits } from "../load/fair-queue.js";

/** Largest JSON body of a request, in bytes (docs/interface.md#1.3). */
export const jsonBodyBytesMax = 256 * 1024;
/** Levels of objects and arrays in a JSON body. */
export const jsonDepthMax = 16;
/** Members of its objects and elements of its arrays, of all together; the largest that an endpoint accepts has dozens. */
export const jsonValuesMax = 10_000;
/** Chunks of a body that may have any size … */
export const chunksFreeMax = 1_024;
/** … and bytes that the chunks of a body with more have to have on average. */
export const chunkBytesMin = 16;
/** How long browsers may remember a CORS preflight. */
export const preflightMaxAgeSeconds = 600;
/** Parts of a multipart form. */
export const partsMax = 100;
/** Bytes of a text field of a multipart form that its reader sets no other limit for; what is longer arrives cut. */
export const fieldBytesMax = 1024;
/** How long the rest of a refused form is skipped before its connection is closed. */
export const lingerTimeoutMs = 30_000;
/** Connections whose request has not arrived yet; above that the oldest is closed. Uploads do not count. */
export const unfinishedConnectionsMax = 2_000;
/** Most credentials of bots that a process keeps as found before; the oldest are evicted first. */
export const provenCredentialsMax = 10_000;
/** Items that are read at a time for a list without pages; the whole list is sent in such pieces. */
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
  restFactor: 1,
};
