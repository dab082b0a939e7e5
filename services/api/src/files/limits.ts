/** How long a signed address of a file is valid, in seconds (docs/interface.md#7.6). */
export const fileUrlLifeSeconds = 86_400;
