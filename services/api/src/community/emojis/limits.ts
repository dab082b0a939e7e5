/** Largest image of a custom emoji, in bytes (docs/protocol/communities.md#6.5). */
export const customEmojiBytesMax = 256 * 1024;
/** Custom emoji of one server (docs/protocol/limits.md#16.1). */
export const emojisMax = 50;
