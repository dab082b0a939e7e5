/** Largest JSON body of a request, in bytes (contract.md 1.3). */
export const jsonBodyBytesMax = 256 * 1024;
/** How long browsers may remember a CORS preflight. */
export const preflightMaxAgeSeconds = 600;
