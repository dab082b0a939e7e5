/** An answer of the api takes at most so long: what an upload or a bulk deletion may need. */
export const apiTimeoutMs = 60_000;
/** Bytes of a JSON body, as at the api. */
export const jsonBytesMax = 262_144;
export const dependencyCheckTimeoutMs = 2_000;
