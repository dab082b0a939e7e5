import { createRequire } from "node:module";
import { qualifiedEmoji } from "@parley/contracts";
import type { TextPart } from "./form-parts.js";
import { replaced } from "./text-parts.js";

const require = createRequire(import.meta.url);

/** The lists of names that emojibase has: iamcal's is Slack's, and Mattermost's is made of it and of GitHub's. */
type NameList = "iamcal" | "joypixels" | "emojibase" | "github";

const tones = ["🏻", "🏼", "🏽", "🏾", "🏿"];
const shortcode = /:([\p{L}\p{N}_+'-]+(?:::skin-tone-[2-6])?):/gu;

/** Names that a service has beside its list. */
const slackNames = { simple_smile: "🙂" };

/** Makes an emoji of Unicode, fully-qualified, of a service's name without colons; null for a name that it does not know. */
export type NamedEmoji = (name: string) => string | null;

/** Names of Slack: `+1`, `+1::skin-tone-4` (tones 2 to 6). */
export const slackEmoji: NamedEmoji = named(["iamcal"], slackNames, (name) => {
  const [, base, tone] = /^(.+?)::skin-tone-([2-6])$/.exec(name) ?? [];
  return base === undefined ? null : { base, tone: Number(tone) - 2 };
});

const mattermostTones = ["light", "medium_light", "medium", "medium_dark", "dark"];

/** Names of Mattermost: `+1`, `+1_medium_light_skin_tone`. */
export const mattermostEmoji: NamedEmoji = named(["iamcal", "github"], {}, (name) => {
  const [, base, tone] = /^(.+?)_(light|medium_light|medium|medium_dark|dark)_skin_tone$/.exec(name) ?? [];
  return base === undefined ? null : { base, tone: mattermostTones.indexOf(tone ?? "") };
});

/** Names of Rocket.Chat: `thumbsup`, `thumbsup_tone3`. */
export const rocketchatEmoji: NamedEmoji = named(["joypixels"], {}, (name) => {
  const [, base, tone] = /^(.+?)_tone([1-5])$/.exec(name) ?? [];
  return base === undefined ? null : { base, tone: Number(tone) - 1 };
});

/**
 * @param lists the first one that has a name decides
 * @param more names that go before the lists
 * @param toned splits a name at its skin tone, 0 to 4
 */
export function named(
  lists: readonly NameList[],
  more: Readonly<Record<string, string>>,
  toned: (name: string) => { base: string; tone: number } | null,
): NamedEmoji {
  let names: Map<string, string> | null = null;
  return (name) => {
    names ??= namesOf(lists, more);
    const lower = name.toLowerCase();
    const whole = names.get(lower);
    if (whole !== undefined) return qualifiedEmoji(whole);
    const parts = toned(lower);
    const base = parts === null ? undefined : names.get(parts.base);
    return parts === null || base === undefined ? null : withTone(base, tones[parts.tone] ?? "");
  };
}

/** Replaces the names in words by their emoji. */
export function replaceEmojiNames(words: string, emoji: (name: string) => TextPart | null): TextPart[] {
  return words.includes(":") ? replaced(words, shortcode, ([, name = ""]) => emoji(name)) : [words];
}

/** The emoji of a code like `1f44d` or `1F468-200D-1F33E`; null for another text. */
export function emojiOfCode(code: string): string | null {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,15}$/i.test(code)) return null;
  const points = code.split("-").map((point) => Number.parseInt(point, 16));
  return points.some((point) => point > 0x10ffff) ? null : qualifiedEmoji(String.fromCodePoint(...points));
}

function namesOf(lists: readonly NameList[], more: Readonly<Record<string, string>>): Map<string, string> {
  const names = new Map(Object.entries(more));
  for (const list of lists) {
    const codes = require(`emojibase-data/en/shortcodes/${list}.json`) as Record<string, string | string[]>;
    for (const [code, ofCode] of Object.entries(codes)) {
      const emoji = String.fromCodePoint(...code.split("-").map((point) => Number.parseInt(point, 16)));
      for (const name of Array.isArray(ofCode) ? ofCode : [ofCode]) if (!names.has(name)) names.set(name, emoji);
    }
  }
  return names;
}

/** The tone belongs to the first part, or to all people of the emoji; an emoji without tones stays as it is. */
function withTone(emoji: string, tone: string): string | null {
  const first = emoji.replace(/^(\P{M})\ufe0f?/u, `$1${tone}`);
  const all = emoji.replaceAll(/(\p{Emoji_Modifier_Base})\ufe0f?/gu, `$1${tone}`);
  return qualifiedEmoji(first) ?? qualifiedEmoji(all) ?? qualifiedEmoji(emoji);
}
