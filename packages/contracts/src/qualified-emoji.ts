/** Every emoji that Unicode recommends for interchange, in its fully-qualified form only. */
const recommended = /^\p{RGI_Emoji}$/v;

/** Characters that are shown as text unless U+FE0F follows them, or a skin tone (UTS #51, ED-18a). */
const textByDefault = /[\p{Emoji}--\p{Emoji_Presentation}](?!\p{Emoji_Modifier})/gv;

const presentationSelectors = /[\ufe0e\ufe0f]/g;

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
