import { isUuid } from "@parley/contracts";

/** Every emoji that Unicode recommends for interchange, in its fully-qualified form only. */
const recommended = /^\p{RGI_Emoji}$/v;

/** Characters that are shown as text unless U+FE0F follows them, or a skin tone (UTS #51, ED-18a). */
const textByDefault = /[\p{Emoji}--\p{Emoji_Presentation}](?!\p{Emoji_Modifier})/gv;

const presentationSelectors = /[\ufe0e\ufe0f]/g;
const customPrefix = "c:";

/**
 * Exactly one emoji of Unicode, in its fully-qualified form (docs/protocol/objects.md#4.13): `❤` and `❤︎` as `❤️`.
 *
 * @param text any text
 * @returns null for a text without an emoji, and for several
 */
export function qualifiedEmoji(text: string): string | null {
  const qualified = text.replace(presentationSelectors, "").replace(textByDefault, "$&\ufe0f");
  return recommended.test(qualified) ? qualified : null;
}

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
