import { isUuid, qualifiedEmoji } from "@parley/contracts";

const customPrefix = "c:";

/**
 * The id of the custom emoji that a reaction shows, in lower case.
 *
 * @param reaction `c:<id>`; null for any other
 */
export function customEmojiId(reaction: string): string | null {
  const id = reaction.startsWith(customPrefix) ? reaction.slice(customPrefix.length) : "";
  return isUuid(id) ? id.toLowerCase() : null;
}

/**
 * The form in which a reaction is stored (docs/protocol/objects.md#4.13).
 *
 * @param text as it was sent
 * @returns null for a text that is neither one emoji of Unicode nor looks like a custom one
 */
export function storedReaction(text: string): string | null {
  const id = customEmojiId(text);
  return id === null ? qualifiedEmoji(text) : customPrefix + id;
}
