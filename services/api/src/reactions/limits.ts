/** Longest emoji of a reaction, in bytes of UTF-8 (docs/interface.md#4.13). */
export const emojiBytesMax = 64;
