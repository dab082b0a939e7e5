import type { Emoji } from "./emoji-set.js";

/** How an emoji is found: names are compared as a whole, too, and words by their beginnings. */
interface SearchForm {
  readonly names: readonly string[];
  readonly keywords: readonly string[];
  readonly words: readonly string[];
}

const forms = new WeakMap<Emoji, SearchForm>();

/**
 * Finds emoji by their names, shortcodes and keywords: those called so first, then those whose name or shortcode begins
 * so, then those with words that begin so, and then those that contain the letters in a name.
 *
 * @param recent signs of recently used emoji, which come before others that fit as well
 */
export function findEmojis(
  emojis: readonly Emoji[],
  letters: string,
  recent: readonly string[],
  atMost = Number.POSITIVE_INFINITY,
): Emoji[] {
  const wanted = fold(letters);
  const parts = wanted.split(/[\s_]+/).filter((part) => part !== "");
  if (parts.length === 0) return [];
  const recency = new Map(recent.map((sign, index) => [sign, index]));
  return emojis
    .flatMap((emoji) => {
      const rank = rankOf(formOf(emoji), wanted, parts);
      return rank === null ? [] : { emoji, rank, age: recency.get(emoji.sign) ?? recent.length };
    })
    .sort((a, b) => a.rank - b.rank || a.age - b.age)
    .slice(0, atMost)
    .map(({ emoji }) => emoji);
}

/** Smaller is better; null if it does not fit. */
function rankOf({ names, keywords, words }: SearchForm, wanted: string, parts: readonly string[]): number | null {
  if (names.includes(wanted)) return 0;
  if (names.some((name) => name.startsWith(wanted)) || keywords.includes(wanted)) return 1;
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return 2;
  return names.some((name) => name.includes(wanted)) ? 3 : null;
}

function formOf(emoji: Emoji): SearchForm {
  const known = forms.get(emoji);
  if (known !== undefined) return known;
  const names = [...emoji.shortcodes, emoji.name].map(fold);
  const keywords = emoji.keywords.map(fold);
  const form = { names, keywords, words: [...names, ...keywords].flatMap((text) => text.split(/[\s_:،-]+/)) };
  forms.set(emoji, form);
  return form;
}

/** Without differences that people leave out when they type: of case, accents, and the colons of shortcodes. */
export const fold = (text: string): string =>
  text.trim().replaceAll(/^:|:$/g, "").normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
