/** Longest timeout by hand: 28 days (docs/interface.md#16.1). */
export const timeoutMinutesMax = 40_320;
