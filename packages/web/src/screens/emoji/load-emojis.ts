import type { Language } from "../../texts/languages.js";
import { supportOfDevice } from "./device-support.js";
import { type EmojiSources, readEmojis, type Support, samples, type UnicodeEmoji } from "./emoji-set.js";

/** The names of emoji: scripts of their own, which only who uses emoji loads. */
const words: Readonly<Record<Language, () => Promise<{ words: string }>>> = {
  en: () => import("../../generated/emoji-english.js"),
  de: () => import("../../generated/emoji-german.js"),
  ar: () => import("../../generated/emoji-arabic.js"),
};

const loaded = new Map<Language, Promise<readonly UnicodeEmoji[]>>();
let support: Support | null = null;

/**
 * Loads the emoji that this device can show, with their names in a language.
 *
 * @throws when a script cannot be loaded; the next call tries again
 */
export function loadEmojis(language: Language): Promise<readonly UnicodeEmoji[]> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const loading = read(language);
  loaded.set(language, loading);
  loading.catch(() => loaded.delete(language));
  return loading;
}

async function read(language: Language): Promise<readonly UnicodeEmoji[]> {
  const [{ shortcodes, ...signs }, names] = await Promise.all([import("../../generated/emoji.js"), words[language]()]);
  const sources: EmojiSources = { signs, shortcodes, words: names.words };
  support ??= supportOfDevice(samples(signs));
  return readEmojis(sources, support);
}
