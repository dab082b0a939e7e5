/** Members of a page (docs/interface.md#20.3). */
export const memberPageDefault = 100;
export const memberPageMax = 1_000;
