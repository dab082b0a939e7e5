/** Exports at a time in this process, of which one for each server. */
export const exportsMax = 2;
/** Seconds after which a refused caller may try again (Retry-After). */
export const retryAfterSeconds = 60;
/** Messages and members that are read at a time. */
export const exportPageMax = 100;
/** How long a client may stand still … */
export const exportStandstillMs = 60_000;
/** … and take in all. */
export const exportTimeoutMs = 3_600_000;
/** zlib's quickest: text shrinks nearly as well, at a third of the processor time. */
export const compressionLevel = 1;
