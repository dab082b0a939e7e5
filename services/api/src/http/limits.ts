/** Largest JSON body of a request, in bytes (contract.md 1.3). */
export const jsonBodyBytesMax = 256 * 1024;
/** Levels of objects and arrays in a JSON body. */
export const jsonDepthMax = 16;
/** How long browsers may remember a CORS preflight. */
export const preflightMaxAgeSeconds = 600;
/** Parts of a multipart form. */
export const partsMax = 100;
/** Bytes of a text field of a multipart form; what is longer arrives cut. */
export const fieldBytesMax = 1024;
/** How long the rest of a refused form is skipped before its connection is closed. */
export const lingerTimeoutMs = 30_000;
/** How long a client may take to send a whole request: the largest file over a slow line. */
export const requestTimeoutMs = 1_800_000;
/** Most credentials of bots that a process remembers as found once; the longest known are forgotten. */
export const provenCredentialsMax = 10_000;
