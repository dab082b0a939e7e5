import type { Tone } from "../../device/schemas.js";

/** The groups of Unicode, in the order in which they are shown. */
export const emojiGroups = [
  "smileys",
  "people",
  "animals",
  "food",
  "travel",
  "activities",
  "objects",
  "symbols",
  "flags",
] as const;
export type EmojiGroupId = (typeof emojiGroups)[number];

/** An emoji that can be picked. */
export interface Emoji {
  /**
   * One of Unicode with the light tone after each part that has tones: {@link inTone} makes its shown and sent form.
   * One of a server as `c:<custom emoji id>`.
   */
  readonly sign: string;
  /** In the language of the set; `:name:` for one of a server. */
  readonly name: string;
  /** English names without colons, the usual one first. */
  readonly shortcodes: readonly string[];
  /** Further words by which it is found. */
  readonly keywords: readonly string[];
  /** The picture of a server's emoji; null for emoji of Unicode. */
  readonly imageUrl: string | null;
}

/** An emoji of Unicode. */
export interface UnicodeEmoji extends Emoji {
  readonly group: EmojiGroupId;
}

/** The emoji that a device can show. */
export interface Support {
  /** Version of Unicode's emoji; later ones are left out. */
  readonly version: number;
  /** Flags of countries; some systems show their letters instead. */
  readonly flags: boolean;
}

/** As the build generates them: lines and words as src/generated says. */
export interface EmojiSources {
  readonly signs: Readonly<Record<EmojiGroupId, string>>;
  readonly shortcodes: string;
  readonly words: string;
}

/** An emoji in a tone; one without tones stays as it is. */
export const inTone = (sign: string, tone: Tone): string =>
  tone === "" ? sign.replaceAll("🏻", "") : sign.replaceAll(/\uFE0F?🏻/gu, tone);

/** Reads the emoji that a device can show, in Unicode's order. */
export function readEmojis({ signs, shortcodes, words }: EmojiSources, support: Support): UnicodeEmoji[] {
  const codes = shortcodes.split("\n");
  const named = words.split("\n");
  return entriesOf(signs).flatMap(({ group, sign, version, toneVersion }, index) => {
    if (version > support.version || (!support.flags && isOfCountry(sign))) return [];
    const [name = "", keywords = ""] = (named[index] ?? "").split("|");
    return {
      sign: toneVersion > support.version ? inTone(sign, "") : sign,
      group,
      name,
      shortcodes: (codes[index] ?? "").split(","),
      keywords: keywords === "" ? [] : keywords.split(","),
      imageUrl: null,
    };
  });
}

/** An emoji for each version, the newest first, to test which ones a device can show. */
export function samples(signs: EmojiSources["signs"]): { version: number; emoji: string }[] {
  const byVersion = new Map<number, string>();
  for (const { sign, version } of entriesOf(signs)) {
    const emoji = inTone(sign, "");
    const known = byVersion.get(version);
    // Sequences can be new to a device which knows all of their parts, so a version is known by a single character.
    if (known === undefined || emoji.length < known.length) byVersion.set(version, emoji);
  }
  return [...byVersion].map(([version, emoji]) => ({ version, emoji })).sort((a, b) => b.version - a.version);
}

function entriesOf(signs: EmojiSources["signs"]) {
  return emojiGroups.flatMap((group) =>
    signs[group].split(" ").map((entry) => {
      const [sign = "", version = "0", toneVersion = version] = entry.split("/");
      return { group, sign, version: Number(version), toneVersion: Number(toneVersion) };
    }),
  );
}

/** Whether it is two of the letters that make up the flag of a country. */
const isOfCountry = (sign: string): boolean => /^\p{Regional_Indicator}{2}$/u.test(sign);
