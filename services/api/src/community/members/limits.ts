/** Members of a page (docs/protocol/communities.md#20.3). */
export const memberPageDefault = 100;
export const memberPageMax = 1_000;
