/** Name of a custom emoji as Discord has it, without hyphens (docs/discord.md#rules). */
export const emojiName = (name: string): string => name.replaceAll("-", "_");
