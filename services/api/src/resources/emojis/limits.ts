/** Largest image of a custom emoji, in bytes (docs/interface.md#6.5). */
export const customEmojiBytesMax = 256 * 1024;
/** Custom emoji of one server (docs/interface.md#16.1). */
export const emojisMax = 50;
/** Largest body of an emoji's form: what is longer is skipped, not kept, so it may well be a file chosen by mistake. */
export const emojiFormBytesMax = 64 * 1024 * 1024;
