/** Members of a page (docs/interface.md#20.3). */
export const memberPageDefault = 100;
export const memberPageMax = 1_000;
/** Code points of the beginning of a name that is looked for. */
export const namePrefixMax = 100;
/** How long a number of connected members is reused; docs/interface.md#20.3 allows 5 seconds. */
export const countAgeMaxMs = 4_000;
/** Servers whose numbers are kept. */
export const countsKeptMax = 1_000;
