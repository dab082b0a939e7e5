import type { FairQueueLimits } from "../../load/fair-queue.js";

/** Most bytes of a page (docs/interface.md#18.3). */
export const pageBytesMax = 1024 * 1024;
/** From the first lookup to the last byte, all redirects included. */
export const pageTimeoutMs = 8_000;
/** How long dialling one address may take. */
export const pageConnectTimeoutMs = 4_000;
export const redirectsMax = 5;
/** Most bytes of an answer's headers. */
export const pageHeadersBytesMax = 16 * 1024;
/** Lookups of names at a time: each occupies one of the process's four threads for as long as a name server hangs. */
export const lookupsMax = 2;
/** Pages fetched at a time in this process, and waiting for it. */
export const pageQueue: FairQueueLimits = {
  runningMax: 16,
  runningPerTenantMax: 4,
  waitingMax: 500,
  waitingPerTenantMax: 100,
  waitMaxMs: 10_000,
};
/** Users who wait for a turn to fetch the same page; the others wait for theirs. */
export const usersWaitingPerPageMax = 8;
/** How long a preview is kept … */
export const previewTtlMs = 24 * 3_600_000;
/** … and how long it is that a page could not be previewed. */
export const failureTtlMs = 60_000;
/** Previews kept; those that end first are dropped for new ones. */
export const cachedPreviewsMax = 10_000;
/** Bytes of HTML that are parsed before others have their turn: of a page of tags only, about a millisecond. */
export const parsedAtOnceBytes = 16 * 1024;
/** How long all pieces of a page may take; the largest pages of tags only take a tenth of it. */
export const parsingMsMax = 500;
/** How long a page may wait for its pieces to be parsed, from its last byte on. */
export const parsingTimeoutMs = 8_000;
/** Most characters of the content of a `<meta>` element that are looked at: more than any text or address may have. */
export const metaContentLengthMax = 8_192;
/** Most characters of each text of a preview. */
export const titleLengthMax = 300;
export const descriptionLengthMax = 1_000;
export const siteNameLengthMax = 100;
